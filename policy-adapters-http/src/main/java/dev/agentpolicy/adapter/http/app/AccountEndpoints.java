package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.usecase.profile.PasswordProof;
import java.time.InstantSource;

/** Answers calls about the account as a whole: its export and its deletion. */
final class AccountEndpoints {
    private static final int NO_CONTENT = 204;

    private final AppUseCases useCases;
    private final SessionGate gate;
    private final InstantSource clock;

    AccountEndpoints(AppUseCases useCases, SessionGate gate, InstantSource clock) {
        this.useCases = useCases;
        this.gate = gate;
        this.clock = clock;
    }

    void export(AppCall call, String session) {
        call.ctx().header("Content-Disposition", "attachment; filename=\"agent-policy-account.json\"");
        AccountExport export = new AccountExport(useCases, call.user(), session, clock.instant());
        Reply.text(call.ctx(), "application/json", export::write);
    }

    void delete(AppCall call) {
        Body.read(
                call.ctx(),
                PasswordProof::read,
                proof -> Reply.either(
                        useCases.deleteAccount().delete(call.user(), proof.password(), gate.visitor(call.ctx())),
                        deleted -> call.ctx().status(NO_CONTENT),
                        call::refuse),
                call::refuse);
    }
}
