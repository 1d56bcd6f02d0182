package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.HomeJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Downloads;
import dev.agentpolicy.adapter.http.wire.Downloads.FileHead;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.usecase.agent.ReadState.AccountHoldings;
import dev.agentpolicy.domain.usecase.policy.ReadHome.Home;
import dev.agentpolicy.domain.usecase.signin.Login;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import java.time.InstantSource;
import java.util.List;

/** Answers calls about the account as a whole: how it stands, what it holds, its export and its deletion. */
record AccountEndpoints(AppUseCases useCases, Downloads downloads, SessionGate gate, InstantSource clock) {
    /** Days of the portfolio that can be asked for. */
    static final int MAX_DAYS = 366;

    private static final int DEFAULT_DAYS = 30;
    private static final int NO_CONTENT = 204;
    private static final FileHead EXPORT = new FileHead("agent-policy-account.json", "application/json");

    void home(AppCall call) {
        Home home = useCases.readHome().read(call.user());
        call.answer(out -> HomeJson.write(out, home));
    }

    void holdings(AppCall call) {
        AccountHoldings holdings = useCases.readState().holdings(call.user());
        call.answer(out -> HoldingsJson.write(out, holdings));
    }

    void history(AppCall call) {
        int days = call.query().integer("days", 1, MAX_DAYS, DEFAULT_DAYS);
        List<PortfolioDay> history = useCases.readState().history(call.user(), days);
        call.answer(out -> out.array("days", history, HoldingsJson::day));
    }

    void beginPeak(AppCall call) {
        Confirmation confirmation = Body.readOptional(call.ctx(), AccountEndpoints::confirmation);
        call.answer(200, useCases.beginPeak().begin(gate.browser(call), confirmation), IpsJson::write);
    }

    private static Reading<Confirmation> confirmation(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Confirmation confirmation = fields.object("confirmation", Confirmation::read);
        return fields.finish(() -> confirmation == null ? new Confirmation(null, null) : confirmation);
    }

    void export(AppCall call) {
        AccountExport export = new AccountExport(useCases, call.user(), call.session(), clock.instant());
        downloads.send(call.ctx(), call.user(), EXPORT, export::write, call::refuse);
    }

    void delete(AppCall call) {
        String password = Body.read(call.ctx(), Login::readPassword);
        Reply.given(useCases.deleteAccount().delete(call.user(), password, gate.visitor(call.ctx())));
        call.ctx().status(NO_CONTENT);
    }
}
