package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Promise.CAPS_HOLD;
import static dev.agentpolicy.domain.simulation.Promise.TALLIES_ARE_EXACT;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Counts by itself what every key has used, from rows and requests alone. */
final class CapWatch {
    private final InMemoryStore store;
    private final Verdict verdict;
    private final Map<AgentKeyId, Count> counts = new HashMap<>();

    CapWatch(InMemoryStore store, Verdict verdict) {
        this.store = store;
        this.verdict = verdict;
    }

    private static final class Count {
        private long day;
        private long calls;
        private Usd usd = Usd.ZERO;
        private Usd managed = Usd.ZERO;

        /** A new day begins with the first row in it. */
        void begin(Instant now) {
            if (isOver(now)) {
                calls = 0;
                usd = Usd.ZERO;
                day = day(now);
            }
        }

        boolean is(Tally tally, Instant now) {
            return tally.calls() == (isOver(now) ? 0 : calls)
                    && tally.usd().equals(isOver(now) ? Usd.ZERO : usd)
                    && tally.aum().equals(managed.max(Usd.ZERO));
        }

        private boolean isOver(Instant now) {
            return day(now) > day;
        }

        private static long day(Instant now) {
            return now.getEpochSecond() / 86_400;
        }
    }

    /** What a buy of the key may be of at most, null when it may be of anything. */
    Usd left(AgentKeyId key, KeyPolicy policy) {
        Count count = counts.get(key);
        return count == null
                ? null
                : policy.dailyUsdCap() != null
                        ? policy.dailyUsdCap().minus(count.usd).max(Usd.ZERO)
                        : policy.aumCapUsd() != null
                                ? policy.aumCapUsd().minus(count.managed).max(Usd.ZERO)
                                : null;
    }

    void committed(Commit commit) {
        if (commit.asking().key() != null) {
            decided(commit, commit.asking().key().policy());
        }
        for (ServiceRequest request : commit.outcome().requests()) {
            Trade trade = request.proposal().trade();
            Count count = count(request.proposal().agentKeyId());
            boolean isReleased =
                    trade.isBuy() ? request.status() == Status.REJECTED : request.status() == Status.COMPLETED;
            count.managed = isReleased ? count.managed.minus(trade.amount()) : count.managed;
        }
        commit.outcome().tallies().keySet().forEach(key -> exact(commit, key));
        if (commit.asking().key() != null) {
            exact(commit, commit.asking().key().id());
        }
    }

    private void decided(Commit commit, KeyPolicy policy) {
        Count count = count(commit.asking().key().id());
        for (PolicyEvent row : commit.rows()) {
            count.begin(commit.now());
            count.calls++;
            if (Commit.isAllowed(row)) {
                boolean isLeft = policy.dailyCallCap() == null || count.calls <= policy.dailyCallCap();
                verdict.require(isLeft, CAPS_HOLD, "call beyond the cap", count.calls, policy.dailyCallCap(), row);
            }
        }
        if (!commit.outcome().requests().isEmpty()) {
            Trade trade = commit.asking().proposed();
            count.usd = count.usd.plus(trade.amount());
            holds(policy.dailyUsdCap(), count.usd);
            if (trade.isBuy()) {
                count.managed = count.managed.plus(trade.amount());
                holds(policy.aumCapUsd(), count.managed);
            }
        }
    }

    private void holds(Usd cap, Usd used) {
        verdict.require(cap == null || !used.isAbove(cap), CAPS_HOLD, "used beyond the cap", used, cap);
    }

    private void exact(Commit commit, AgentKeyId key) {
        Count count = count(key);
        Tally tally = store.tally(commit.user(), key).at(commit.now());
        verdict.require(
                count.is(tally, commit.now()), TALLIES_ARE_EXACT, "counted otherwise", count.calls, count.usd, tally);
    }

    private Count count(AgentKeyId key) {
        return counts.computeIfAbsent(key, it -> new Count());
    }
}
