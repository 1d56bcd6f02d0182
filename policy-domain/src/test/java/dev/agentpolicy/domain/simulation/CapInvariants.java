package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.AGENT_LIMITS_HOLD;
import static dev.agentpolicy.domain.simulation.Invariant.CAPS_HOLD;
import static dev.agentpolicy.domain.simulation.Invariant.REVOKED_KEYS_HAVE_NO_WAITING_REQUESTS;
import static dev.agentpolicy.domain.simulation.Invariant.TALLIES_ARE_EXACT;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.Answer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Counts what every key has used, independently of the service, and checks caps and tallies. */
final class CapInvariants {
    private final InMemoryStore store;
    private final FirstViolation firstViolation;
    private final Map<AgentKeyId, Count> counts = new HashMap<>();
    private final Map<List<Object>, Long> callsOfDays = new HashMap<>();
    private final Map<List<Object>, Long> decisionsOfDays = new HashMap<>();

    CapInvariants(InMemoryStore store, FirstViolation firstViolation) {
        this.store = store;
        this.firstViolation = firstViolation;
    }

    /** A pending buy, and what was filled of its present order. */
    private record Waiting(Usd amount, String clientOrderId, Usd filled) {

        Waiting plus(Usd more) {
            return new Waiting(amount, clientOrderId, filled.plus(more));
        }

        Usd rest() {
            return amount.minus(filled).max(Usd.ZERO);
        }
    }

    private static final class Count {
        private long day;
        private long calls;
        private long pending;
        private Usd usd = Usd.ZERO;
        private Usd executed = Usd.ZERO;
        private final Map<Long, Waiting> waiting = new HashMap<>();

        /** What the key manages: filled buys less filled sells, and what is not filled of pending buys. */
        Usd managed() {
            Usd sum = executed;
            for (Waiting one : waiting.values()) {
                sum = sum.plus(one.rest());
            }
            return sum;
        }

        /** A new day begins with its first row. */
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
                    && tally.aum().equals(managed().max(Usd.ZERO))
                    && tally.pending() == pending;
        }

        private boolean isOver(Instant now) {
            return day(now) > day;
        }

        private static long day(Instant now) {
            return now.getEpochSecond() / 86_400;
        }
    }

    /** The maximum amount of a buy of the key; null for no maximum. */
    Usd left(AgentKeyId key, KeyPolicy policy) {
        Count count = counts.get(key);
        return count == null
                ? null
                : policy.dailyUsdCap() != null
                        ? policy.dailyUsdCap().minus(count.usd).max(Usd.ZERO)
                        : policy.aumCapUsd() != null
                                ? policy.aumCapUsd().minus(count.managed()).max(Usd.ZERO)
                                : null;
    }

    /** Checks a call without a decision that was counted, or refused for the cap. */
    void counted(UserId user, AgentKeyId key, LocalDate day, int cap, OptionalLong counted) {
        long before = callsOfDays.getOrDefault(List.of(key, day), 0L);
        boolean isRight = before < cap ? counted.equals(OptionalLong.of(before + 1)) : counted.isEmpty();
        firstViolation.require(isRight, CAPS_HOLD, "counted a call as", counted, before, cap);
        if (counted.isPresent()) {
            callsOfDays.put(List.of(key, day), before + 1);
        }
    }

    void committed(ObservedCommit commit) {
        if (commit.origin().key() != null) {
            decided(commit, commit.origin().key().policy());
        }
        commit.outcome().fills().forEach(fill -> filled(commit.user(), fill));
        for (ServiceRequest request : commit.outcome().requests()) {
            Trade trade = request.proposal().trade();
            Count count = count(request.proposal().agentKeyId());
            count.pending += request.status() != RequestStatus.PENDING ? -1 : 0;
            if (request instanceof Pending pending && trade.isBuy()) {
                OrderAttempt order = pending.order();
                String current = order == null ? "" : order.clientOrderId();
                Waiting before = count.waiting.get(request.id());
                boolean isSame = before != null && before.clientOrderId.equals(current);
                count.waiting.put(request.id(), isSame ? before : new Waiting(trade.amount(), current, Usd.ZERO));
            } else {
                count.waiting.remove(request.id());
            }
        }
        commit.outcome().keys().stream()
                .filter(key -> key.revokedAt() != null)
                .forEach(key -> leavesNothing(commit.user(), key.id()));
        commit.outcome().tallies().keySet().forEach(key -> exact(commit, key));
        if (commit.origin().key() != null) {
            exact(commit, commit.origin().key().id());
        }
    }

    private void decided(ObservedCommit commit, KeyPolicy policy) {
        AgentKeyId key = commit.origin().key().id();
        Count count = count(key);
        LocalDate today = LocalDate.ofInstant(commit.now(), ZoneOffset.UTC);
        for (PolicyEvent row : commit.rows()) {
            count.begin(commit.now());
            count.calls++;
            long calls = called(key, today, policy);
            if (ObservedCommit.isAllowed(row)) {
                boolean isLeft = policy.dailyCallCap() == null || calls <= policy.dailyCallCap();
                firstViolation.require(isLeft, CAPS_HOLD, "call beyond the cap", calls, policy.dailyCallCap(), row);
            }
            long decisions = decisionsOfDays.merge(List.of(commit.user(), today), 1L, Long::sum);
            firstViolation.require(
                    decisions <= SimulatedNode.LIMITS.decisionsPerDay(),
                    AGENT_LIMITS_HOLD,
                    "decisions",
                    decisions,
                    row);
        }
        if (commit.rows().isEmpty() && commit.answer() instanceof Answer<?> answer) {
            answer.fold(given -> called(key, today, policy), refused -> 0L);
        }
        if (!commit.outcome().requests().isEmpty()) {
            count.pending++;
            firstViolation.require(
                    count.pending <= SimulatedNode.LIMITS.maxPendingPerKey(),
                    AGENT_LIMITS_HOLD,
                    "pending",
                    count.pending);
            Trade trade = commit.origin().proposed();
            count.usd = count.usd.plus(trade.amount());
            holds(policy.dailyUsdCap(), count.usd);
            if (trade.isBuy()) {
                holds(policy.aumCapUsd(), count.managed().plus(trade.amount()));
            }
        }
    }

    private void filled(UserId user, RecordedFill recorded) {
        if (recorded.requestId() == null) {
            return;
        }
        Fill fill = recorded.fill();
        ServiceRequest request =
                store.requestQueue().find(user, recorded.requestId()).orElseThrow();
        Count count = count(request.proposal().agentKeyId());
        boolean isBuy = fill.action() == Action.BUY;
        count.executed = isBuy ? count.executed.plus(fill.amountUsd()) : count.executed.minus(fill.amountUsd());
        count.waiting.computeIfPresent(
                recorded.requestId(),
                (id, it) -> it.clientOrderId.equals(fill.clientOrderId()) ? it.plus(fill.amountUsd()) : it);
    }

    /** Counts a call of a key; 0 for a key without a cap. */
    private long called(AgentKeyId key, LocalDate day, KeyPolicy policy) {
        return policy.dailyCallCap() == null ? 0 : callsOfDays.merge(List.of(key, day), 1L, Long::sum);
    }

    private void leavesNothing(UserId user, AgentKeyId key) {
        List<ServiceRequest> waiting =
                store.requestQueue().page(user, RequestStatus.PENDING, null, Integer.MAX_VALUE).stream()
                        .filter(request -> request.proposal().agentKeyId().equals(key))
                        .filter(request -> !((Pending) request).isAccepted())
                        .toList();
        firstViolation.require(waiting.isEmpty(), REVOKED_KEYS_HAVE_NO_WAITING_REQUESTS, "still waits", waiting);
    }

    private void holds(Usd cap, Usd used) {
        firstViolation.require(cap == null || !used.isAbove(cap), CAPS_HOLD, "used beyond the cap", used, cap);
    }

    private void exact(ObservedCommit commit, AgentKeyId key) {
        Count count = count(key);
        Tally tally = store.tally(commit.user(), key).at(commit.now());
        LocalDate today = LocalDate.ofInstant(commit.now(), ZoneOffset.UTC);
        long stored = store.dailyCalls().counted(commit.user(), key, today);
        long calls = callsOfDays.getOrDefault(List.of(key, today), 0L);
        firstViolation.require(stored == calls, TALLIES_ARE_EXACT, "calls", stored, calls);
        firstViolation.require(
                count.is(tally, commit.now()), TALLIES_ARE_EXACT, "counted otherwise", count.calls, count.usd, tally);
    }

    private Count count(AgentKeyId key) {
        return counts.computeIfAbsent(key, it -> new Count());
    }
}
