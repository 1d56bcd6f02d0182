package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.app.guard.Scheduler;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The agent of the demonstration. It asks and proposes as a call with its key would, and is bound by the same policy. */
final class DemoAgent implements AutoCloseable {
    private static final Duration DELAY = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    /** It proposes nothing while so many requests wait. */
    private static final int MAX_WAITING = 4;

    private static final List<Idea> IDEAS = List.of(
            new Idea(Trade.buy("QQQ", Usd.of(400)), "A little of the cash above its floor goes into stocks."),
            new Idea(Trade.sell("AGG", Usd.of(350)), "Bonds are more than this portfolio needs."),
            new Idea(Trade.buy("ETH", Usd.of(300)), "Crypto is near its target and all of it is in one coin."),
            new Idea(Trade.sell("SPY", Usd.of(700)), "Stocks have risen; this keeps them near their target."),
            new Idea(Trade.buy("GLD", Usd.of(450)), "Gold moves little with the rest."),
            new Idea(Trade.buy("AGG", Usd.of(300)), "Bonds fell below what they were last month."));

    private final AgentUseCases agents;
    private final AppUseCases useCases;
    private final InstantSource clock;
    private final Scheduler thread = new Scheduler("demo-agent");
    private int proposed;

    DemoAgent(AgentUseCases agents, AppUseCases useCases, InstantSource clock) {
        this.agents = agents;
        this.useCases = useCases;
        this.clock = clock;
    }

    private record Idea(Trade trade, String rationale) {}

    /** Begins to propose a trade now and then. */
    void begin(UserId user) {
        thread.repeat("Proposing in the demonstration", DELAY, PAUSE, () -> proposeNext(user));
    }

    @Override
    public void close() {
        thread.close();
    }

    /** Proposes the next trade, unless all agents are paused or enough requests wait. */
    void proposeNext(UserId user) {
        boolean isPaused = useCases.readState()
                .ips(user)
                .map(inForce -> inForce.version().ips().isPaused())
                .orElse(true);
        int waiting = useCases.readRequests()
                .page(user, RequestStatus.PENDING, null, MAX_WAITING)
                .requests()
                .size();
        if (!isPaused && waiting < MAX_WAITING) {
            Idea idea = IDEAS.get(proposed++ % IDEAS.size());
            propose(user, idea.trade, idea.rationale);
        }
    }

    /** Asks whether a trade is allowed. */
    void ask(UserId user, Trade trade) {
        caller(user).ifPresent(caller -> DemoUser.given(agents.validateTrade().one(caller, SentTrade.of(trade))));
    }

    /** Proposes a trade; the answer is empty when its user has revoked the key. */
    Optional<Proposed> propose(UserId user, Trade trade, String rationale) {
        ProposalBody body = new ProposalBody(SentTrade.of(trade), rationale);
        return caller(user).map(caller -> DemoUser.given(agents.proposeTrade().propose(caller, body, null)));
    }

    private Optional<Caller> caller(UserId user) {
        return DemoUser.agent(useCases.issueKeys(), user, clock.instant())
                .map(key -> new Caller(key, user, agents, "127.0.0.1"));
    }
}
