package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.House.USER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.event.DecisionPayload;
import dev.agentpolicy.domain.event.DecisionRecord;
import dev.agentpolicy.domain.event.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.EventKind;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.ProposeTrade.Proposed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/** Counts by itself what may have happened, and compares it with what is recorded. */
final class RandomLedger {
    private final House house;
    private final Map<Caller, Count> counts = new LinkedHashMap<>();
    private final Map<Long, Queued> open = new LinkedHashMap<>();
    private final List<Long> openIds = new ArrayList<>();
    private final Map<Long, ServiceRequest> closed = new HashMap<>();
    private final List<ServiceRequest> closedInOrder = new ArrayList<>();
    private final Map<IdempotencyKey, Bound> bound = new HashMap<>();
    private final Map<Long, Integer> executions = new HashMap<>();
    private int ordersSeen;
    private Usd cash;

    RandomLedger(House house, List<Caller> agents) {
        this.house = house;
        agents.forEach(agent -> counts.put(agent, new Count()));
        replaced();
    }

    private record Queued(Caller agent, Trade trade) {}

    private record Bound(long id, Instant at) {}

    /** What one key has used, counted from what it was answered. */
    private static final class Count {
        private long day;
        private long calls;
        private Usd usd = Usd.ZERO;
        private Usd managed = Usd.ZERO;

        void at(Instant now) {
            long today = now.getEpochSecond() / 86_400;
            calls = today == day ? calls : 0;
            usd = today == day ? usd : Usd.ZERO;
            day = today;
        }
    }

    boolean isOpen(long id) {
        return open.containsKey(id);
    }

    Optional<Long> open(Random random) {
        return openIds.isEmpty() ? Optional.empty() : Optional.of(openIds.get(random.nextInt(openIds.size())));
    }

    void replaced() {
        cash = house.custodian.book(USER, "broker").cash();
    }

    /** A dry run is one call. */
    boolean called(Caller agent) {
        count(agent).calls++;
        return true;
    }

    boolean proposed(Caller agent, Trade trade, String once, Proposed proposed) {
        Instant now = house.clock.instant();
        IdempotencyKey key = new IdempotencyKey(agent.key().id(), String.valueOf(once));
        Bound before = bound.get(key);
        boolean isReplay =
                once != null && before != null && now.isBefore(before.at().plus(IdempotencyKey.WINDOW));
        assertThat(proposed.isReplay()).isEqualTo(isReplay);
        if (isReplay) {
            assertThat(proposed.requestId()).isEqualTo(before.id());
            return true;
        }
        count(agent).calls++;
        assertThat(proposed.requestId() != null).isEqualTo(proposed.decision().isAllowed());
        if (proposed.requestId() != null) {
            long id = proposed.requestId();
            assertThat(open).doesNotContainKey(id);
            assertThat(closed).doesNotContainKey(id);
            open.put(id, new Queued(agent, trade));
            openIds.add(id);
            count(agent).usd = count(agent).usd.plus(trade.amount());
            count(agent).managed = count(agent).managed.plus(trade.isBuy() ? trade.amount() : Usd.ZERO);
            if (once != null) {
                bound.put(key, new Bound(id, now));
            }
        }
        return true;
    }

    boolean refused(Caller agent, Refusal refusal) {
        assertThat(refusal.code()).isEqualTo(Refusal.Code.DAILY_CALL_CAP);
        assertThat(count(agent).calls)
                .isEqualTo(agent.key().policy().dailyCallCap().longValue());
        return false;
    }

    /** What the user was told of his yes is what is recorded. */
    void accepted(long id, CompletionStage<Answer<ServiceRequest>> answer) {
        if (answer.toCompletableFuture().isDone()) {
            ServiceRequest told = answer.toCompletableFuture().join().fold(it -> it, Refusal::request);
            assertThat(told).isEqualTo(house.request(id));
        }
    }

    void check(Random random) {
        ordersSeen();
        openIds.removeIf(this::isClosed);
        counts.forEach(this::capsHold);
        if (!closedInOrder.isEmpty()) {
            ServiceRequest any = closedInOrder.get(random.nextInt(closedInOrder.size()));
            assertThat(house.request(any.id())).isSameAs(any);
        }
        CustodianHoldings book = house.custodian.book(USER, "broker");
        CustodianHoldings known = house.portfolio().custodian("broker").orElseThrow();
        assertThat(book.cash()).isEqualTo(cash);
        assertThat(known.revision()).isLessThanOrEqualTo(book.revision());
        if (known.revision() == book.revision()) {
            assertThat(known).isEqualTo(book);
        }
    }

    /** Nothing is under way any more. */
    void checkEnd() {
        assertThat(house.portfolio().custodian("broker")).contains(house.custodian.book(USER, "broker"));
        closed.forEach((id, request) -> assertThat(house.request(id)).isSameAs(request));
        openIds.forEach(id -> assertThat(house.pending(id).isAccepted()).isFalse());
        long completed = closed.values().stream()
                .filter(request -> request.status() == Status.COMPLETED)
                .count();
        assertThat(executions.values().stream().mapToInt(times -> times).sum()).isEqualTo((int) completed);
        assertThat(house.store.requestQueue().page(USER, null, null, Integer.MAX_VALUE))
                .hasSize(closed.size() + openIds.size());
        long observed = house.allEvents().stream()
                .filter(event -> event.kind() == EventKind.TRADE_OBSERVED)
                .filter(event -> House.payload(event).get("serviceRequestId") != null)
                .count();
        assertThat(observed).isEqualTo(completed);
        long proposals = house.allEvents().stream()
                .filter(event -> event.kind() == EventKind.GUARDRAIL_DECISION)
                .map(event -> DecisionPayload.read(House.payload(event)))
                .filter(decision -> decision.kind() == Kind.PROPOSE && decision.serviceRequestId() != null)
                .filter(DecisionRecord::isAllowed)
                .count();
        assertThat(proposals).isEqualTo(closed.size() + openIds.size());
    }

    private void ordersSeen() {
        List<Order> executed = house.custodian.executed();
        for (; ordersSeen < executed.size(); ordersSeen++) {
            Order order = executed.get(ordersSeen);
            Usd amount = order.amount() != null
                    ? order.amount()
                    : new Usd(order.quantity().multiply(order.price().value()));
            cash = order.action() == Action.BUY ? cash.minus(amount) : cash.plus(amount);
            if (order.clientOrderId().startsWith("request-")) {
                long id = Long.parseLong(order.clientOrderId().split("-")[1]);
                assertThat(executions.merge(id, 1, Integer::sum)).isEqualTo(1);
            }
        }
    }

    private boolean isClosed(long id) {
        ServiceRequest request = house.request(id);
        int executed = executions.getOrDefault(id, 0);
        if (request instanceof Pending pending) {
            assertThat(executed == 0 || pending.isAccepted()).isTrue();
            return false;
        }
        boolean isCompleted = request.status() == Status.COMPLETED;
        assertThat(executed).isEqualTo(isCompleted ? 1 : 0);
        closed.put(id, request);
        closedInOrder.add(request);
        Queued queued = open.remove(id);
        Count count = count(queued.agent());
        boolean isSell = queued.trade().action() == Action.SELL;
        if (isCompleted == isSell) {
            count.managed = count.managed.minus(queued.trade().amount());
        }
        return true;
    }

    private void capsHold(Caller agent, Count count) {
        KeyPolicy policy = agent.key().policy();
        Tally tally = house.tally(agent);
        count.at(house.clock.instant());
        assertThat(tally.calls()).isEqualTo(count.calls);
        assertThat(tally.usd()).isEqualTo(count.usd);
        assertThat(tally.aum()).isEqualTo(count.managed.max(Usd.ZERO));
        assertThat(policy.dailyUsdCap() == null || !count.usd.isAbove(policy.dailyUsdCap()))
                .isTrue();
        assertThat(policy.aumCapUsd() == null || !count.managed.isAbove(policy.aumCapUsd()))
                .isTrue();
        assertThat(policy.dailyCallCap() == null || tally.calls() <= policy.dailyCallCap())
                .isTrue();
    }

    private Count count(Caller agent) {
        Count count = counts.get(agent);
        count.at(house.clock.instant());
        return count;
    }
}
