package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.util.List;

/** Checks all invariants on every commit, execution and answer. */
final class InvariantChecker {
    final ChainInvariants chain;
    final CapInvariants caps;
    final RequestInvariants requests;
    final FlowInvariants flows;
    private final OrderInvariants orders;
    private final UnfilledTradeInvariants unfilledTrades;
    private final AssetInvariants assets;
    final FillInvariants fills;
    final HoldingsInvariants holdings;
    final StalenessInvariants staleness;
    private final InMemoryStore store;
    private final FirstViolation firstViolation;

    InvariantChecker(Simulation simulation, Mutant mutant, FirstViolation firstViolation) {
        this.store = simulation.store;
        this.firstViolation = firstViolation;
        this.chain = new ChainInvariants(store, mutant, firstViolation);
        this.requests = new RequestInvariants(firstViolation);
        this.caps = new CapInvariants(store, firstViolation);
        this.flows = new FlowInvariants(firstViolation);
        this.unfilledTrades = new UnfilledTradeInvariants(firstViolation);
        this.assets = new AssetInvariants(firstViolation);
        this.orders = new OrderInvariants(requests, simulation::order, firstViolation);
        this.fills = new FillInvariants(simulation, orders, firstViolation);
        this.holdings = new HoldingsInvariants(simulation, firstViolation);
        this.staleness = new StalenessInvariants(firstViolation);
    }

    void committed(ChangeOrigin origin, Account before, Outcome<?> outcome, Object answer) {
        UserId user = before.userId();
        List<PolicyEvent> rows = chain.read(user);
        List<Receipt> receipts =
                rows.stream().map(row -> new Receipt(row.seq(), row.hash())).toList();
        ObservedCommit commit =
                new ObservedCommit(origin, user, before.now(), outcome.withReceipts(receipts), rows, answer);
        assets.committed(commit);
        requests.committed(commit);
        staleness.committed(commit);
        fills.committed(commit);
        flows.committed(commit, before);
        caps.committed(commit);
        orders.committed(commit);
        holdings.committed(commit);
        unfilledTrades.committed(commit, before);
    }

    /** Checks an order that a custodian took. */
    void placed(Order order) {
        assets.placed(order);
        orders.placed(order);
    }

    /** Checks an order of which the broker filled something. */
    void filled(Order order) {
        orders.filled(order);
    }

    /** Checks a request that was returned to its user. */
    void returned(ServiceRequest request) {
        request.fold(
                this::returnedPending, completed -> returnedResolved(request), rejected -> returnedResolved(request));
    }

    /** Checks the state after everything has been synced, while orders are open. */
    void quiet(UserId user) {
        holdings.end(user);
        store.view(user).connections().all().forEach(connection -> fills.end(user, connection));
        orders.quiet();
    }

    /** Checks the state after the custodians have finished all orders. */
    void end() {
        chain.end();
        orders.end();
        requests.all().forEach(this::kept);
    }

    SimulationCounts counts() {
        SimulationCounts counts = SimulationCounts.NONE.and(
                chain.rows(), requests.replays(), fills.count(), staleness.stale(), flows.blocked());
        for (ServiceRequest request : requests.all()) {
            counts = counts.and(request);
        }
        return counts;
    }

    private Object returnedPending(Pending pending) {
        chain.returnedAccepted(pending.id());
        return pending;
    }

    private Object returnedResolved(ServiceRequest request) {
        boolean isStillPending = store.requestQueue()
                .find(request.proposal().userId(), request.id())
                .filter(stored -> stored.status() == RequestStatus.PENDING)
                .isPresent();
        firstViolation.require(
                !isStillPending, Invariant.RETURNED_DECISIONS_ARE_IN_THE_CHAIN, "still pending", request);
        return kept(request);
    }

    private Object kept(ServiceRequest request) {
        ServiceRequest stored = store.requestQueue()
                .find(request.proposal().userId(), request.id())
                .orElse(null);
        firstViolation.require(
                request.equals(stored), Invariant.RESOLVED_REQUESTS_NEVER_CHANGE, "stored as", stored, request);
        return stored;
    }
}
