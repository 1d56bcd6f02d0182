package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.HOLDINGS_EQUAL_THE_BOOK;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.util.List;

/** Checks all invariants on every commit, execution and answer. */
final class InvariantChecker {
    final ChainInvariants chain;
    final CapInvariants caps;
    final RequestInvariants requests;
    private final OrderInvariants orders;
    private final UnfilledTradeInvariants unfilledTrades;
    private final AssetInvariants assets;
    private final InMemoryStore store;
    private final FirstViolation firstViolation;

    InvariantChecker(InMemoryStore store, Mutant mutant, FirstViolation firstViolation) {
        this.store = store;
        this.firstViolation = firstViolation;
        this.chain = new ChainInvariants(store, mutant, firstViolation);
        this.requests = new RequestInvariants(firstViolation);
        this.caps = new CapInvariants(store, firstViolation);
        this.unfilledTrades = new UnfilledTradeInvariants(firstViolation);
        this.assets = new AssetInvariants(firstViolation);
        this.orders = new OrderInvariants(requests, firstViolation);
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
        caps.committed(commit);
        orders.committed(commit);
        unfilledTrades.committed(commit, before);
    }

    void executed(Order order) {
        assets.executed(order);
        orders.executed(order);
    }

    /** Checks a request that was returned to its user. */
    void returned(ServiceRequest request) {
        request.fold(
                this::returnedPending, completed -> returnedResolved(request), rejected -> returnedResolved(request));
    }

    /** Recorded holdings are never newer than the custodian's book, and equal if they have its revision. */
    void compare(UserId user, CustodianHoldings books) {
        Portfolio portfolio = store.view(user).portfolio();
        CustodianHoldings known = portfolio.custodian(books.id()).orElseThrow();
        boolean agrees = known.revision() < books.revision() || known.equals(books);
        firstViolation.require(agrees, HOLDINGS_EQUAL_THE_BOOK, "the books say", books, known);
    }

    /** Checks the state after all steps are done. */
    void end(UserId user, CustodianHoldings books) {
        CustodianHoldings known =
                store.view(user).portfolio().custodian(books.id()).orElseThrow();
        firstViolation.require(known.equals(books), HOLDINGS_EQUAL_THE_BOOK, "the books say", books, known);
    }

    void end() {
        chain.end();
        orders.end();
        requests.all().forEach(this::kept);
    }

    SimulationCounts counts() {
        SimulationCounts counts = SimulationCounts.NONE.and(chain.rows(), requests.replays());
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
