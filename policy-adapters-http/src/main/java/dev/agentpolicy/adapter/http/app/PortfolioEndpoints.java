package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.agent.ReadState.AccountHoldings;
import java.util.List;

/** Answers calls about the user's holdings. */
final class PortfolioEndpoints {
    static final int MAX_DAYS = 366;
    private static final int DEFAULT_DAYS = 30;

    private final ReadState readState;

    PortfolioEndpoints(ReadState readState) {
        this.readState = readState;
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
}
