package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Downloads;
import dev.agentpolicy.adapter.http.wire.Downloads.FileHead;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.usecase.signin.Login;
import java.time.InstantSource;

/** Answers calls about the account as a whole: its export and its deletion. */
final class AccountEndpoints {
    private static final int NO_CONTENT = 204;
    private static final FileHead EXPORT = new FileHead("agent-policy-account.json", "application/json");

    private final AppUseCases useCases;
    private final Downloads downloads;
    private final SessionGate gate;
    private final InstantSource clock;

    AccountEndpoints(AppUseCases useCases, Downloads downloads, SessionGate gate, InstantSource clock) {
        this.useCases = useCases;
        this.downloads = downloads;
        this.gate = gate;
        this.clock = clock;
    }

    void export(AppCall call, String session) {
        AccountExport export = new AccountExport(useCases, call.user(), session, clock.instant());
        downloads.send(call.ctx(), call.user(), EXPORT, export::write, call::refuse);
    }

    void delete(AppCall call) {
        Body.read(
                call.ctx(),
                Login::readPassword,
                password -> Reply.either(
                        useCases.deleteAccount().delete(call.user(), password, gate.visitor(call.ctx())),
                        deleted -> call.ctx().status(NO_CONTENT),
                        call::refuse),
                call::refuse);
    }
}
