package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.agent.ReadState.AccountHoldings;
import dev.agentpolicy.domain.usecase.custodian.BeginPeak;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import java.util.List;

/** Answers calls about the user's holdings. */
final class PortfolioEndpoints {
    static final int MAX_DAYS = 366;
    private static final int DEFAULT_DAYS = 30;

    private final ReadState readState;
    private final BeginPeak beginPeak;
    private final SessionGate gate;
    private final RelyingParties parties;

    PortfolioEndpoints(AppUseCases useCases, SessionGate gate, RelyingParties parties) {
        this.readState = useCases.readState();
        this.beginPeak = useCases.beginPeak();
        this.gate = gate;
        this.parties = parties;
    }

    void read(AppCall call) {
        AccountHoldings holdings = readState.holdings(call.user());
        call.answer(out -> HoldingsJson.write(out, holdings));
    }

    void history(AppCall call) {
        int days = Query.of(call.ctx()).integer("days", 1, MAX_DAYS, DEFAULT_DAYS);
        List<PortfolioDay> history = readState.history(call.user(), days);
        call.answer(out -> out.array("days", history, HoldingsJson::day));
    }

    void beginPeak(AppCall call) {
        Body.readOptional(
                call.ctx(),
                PortfolioEndpoints::confirmation,
                confirmation -> call.answer(
                        200,
                        beginPeak.begin(
                                new OwnerBrowser(call.user(), gate.visitor(call.ctx()), parties.of(call.ctx())),
                                confirmation),
                        IpsJson::write),
                call::refuse);
    }

    private static Reading<Confirmation> confirmation(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Confirmation confirmation = fields.object("confirmation", Confirmation::read);
        return fields.finish(() -> confirmation == null ? new Confirmation(null, null) : confirmation);
    }
}
