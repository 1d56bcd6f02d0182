package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.RequestJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.owner.ObservePortfolio;
import java.time.InstantSource;
import java.util.List;

/** Answers calls about the user's holdings. */
final class PortfolioEndpoints {
    private static final int MAX_DAYS = 366;
    private static final int DEFAULT_DAYS = 30;

    private final ReadState readState;
    private final ObservePortfolio observePortfolio;
    private final InstantSource clock;

    PortfolioEndpoints(AppUseCases useCases, InstantSource clock) {
        this.readState = useCases.readState();
        this.observePortfolio = useCases.observePortfolio();
        this.clock = clock;
    }

    void read(AppCall call) {
        Portfolio portfolio = readState.portfolio(call.user()).orElse(null);
        call.answer(out -> HoldingsJson.write(out, portfolio));
    }

    void history(AppCall call) {
        int days = Query.of(call.ctx()).integer("days", 1, MAX_DAYS, DEFAULT_DAYS);
        List<Portfolio> history = readState.history(call.user(), days);
        call.answer(out -> out.array("days", history, HoldingsJson::day));
    }

    void replace(AppCall call) {
        String id = custodian(call);
        Body.read(
                call.ctx(),
                sent -> HoldingsDocument.read(id, sent, clock.instant()),
                holdings -> call.answer(200, observePortfolio.observe(call.user(), holdings), HoldingsJson::write),
                call::refuse);
    }

    void trade(AppCall call) {
        String id = custodian(call);
        Body.read(
                call.ctx(),
                OwnTrade::read,
                trade -> call.answer(200, observePortfolio.trade(call.user(), id, trade), RequestJson::execution),
                call::refuse);
    }

    private static String custodian(AppCall call) {
        String id = call.ctx().pathParam("id");
        if (!CustodianHoldings.isId(id)) {
            throw RejectedRequest.parameter("id", "must be 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        return id;
    }
}
