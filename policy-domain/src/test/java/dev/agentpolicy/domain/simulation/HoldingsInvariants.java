package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.COMPLETED_REQUESTS_HAVE_THEIR_FILLS;
import static dev.agentpolicy.domain.simulation.Invariant.HOLDINGS_EQUAL_THE_BOOK;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks recorded holdings against what the custodians have, and had. */
final class HoldingsInvariants {
    private final Simulation simulation;
    private final FirstViolation firstViolation;
    private final Map<UserId, Integer> versions = new HashMap<>();
    private final Map<UserId, Instant> heard = new HashMap<>();

    HoldingsInvariants(Simulation simulation, FirstViolation firstViolation) {
        this.simulation = simulation;
        this.firstViolation = firstViolation;
    }

    void committed(ObservedCommit commit) {
        if (isWholeReport(commit)) {
            CustodianHoldings known = known(commit.user(), SimulatedBroker.ID);
            int version = simulation.broker.account(commit.user()).version(known);
            int before = versions.getOrDefault(commit.user(), 0);
            firstViolation.require(version >= before, HOLDINGS_EQUAL_THE_BOOK, "went back", before, version, known);
            versions.put(commit.user(), version);
        }
        for (ServiceRequest request : commit.outcome().requests()) {
            if (request instanceof Completed completed) {
                completed(commit.user(), completed.order(), completed);
            }
        }
    }

    /** Whether the commit says that the broker was heard of. */
    private boolean isWholeReport(ObservedCommit commit) {
        CustodianConnections connections = commit.outcome().connections();
        CustodianConnection connection = connections == null
                ? null
                : connections.find(SimulatedBroker.ID).orElse(null);
        if (connection == null || connection.lastSyncedAt().equals(connection.connectedAt())) {
            return false;
        }
        Instant before = heard.put(commit.user(), connection.lastSyncedAt());
        return !connection.lastSyncedAt().equals(before);
    }

    /** The holdings have the fills of a request that is completed now. */
    private void completed(UserId user, OrderAttempt order, Completed completed) {
        CustodianHoldings known = known(user, order.custodian());
        boolean isThere = order.kind() == CustodianKind.PAPER
                ? known.revision()
                        >= paper(user).orders().get(order.clientOrderId()).revision()
                : simulation.broker.account(user).version(known)
                        >= simulation.broker.account(user).endVersion(order.clientOrderId());
        boolean isOpen =
                known.openOrders().stream().anyMatch(it -> it.clientOrderId().equals(order.clientOrderId()));
        firstViolation.require(
                isThere && !isOpen, COMPLETED_REQUESTS_HAVE_THEIR_FILLS, "the holdings are", known, completed);
    }

    /** Recorded holdings of a paper custodian are never newer than its book, and equal if they have its revision. */
    void compare(UserId user) {
        CustodianHoldings known = known(user, SimulatedUser.PAPER);
        PaperBook book = paper(user);
        boolean agrees = known.revision() < book.revision() || isSame(known, book);
        firstViolation.require(agrees, HOLDINGS_EQUAL_THE_BOOK, "the book says", book, known);
    }

    /** Checks that the recorded holdings are the present ones, once everything has been synced. */
    void end(UserId user) {
        Portfolio portfolio = simulation.store.view(user).portfolio();
        for (CustodianHoldings known : portfolio == null ? List.<CustodianHoldings>of() : portfolio.custodians()) {
            SimulatedBrokerAccount account = simulation.broker.account(user);
            boolean isPaper = known.id().equals(SimulatedUser.PAPER);
            boolean agrees = isPaper ? isSame(known, paper(user)) : account.version(known) == account.version();
            firstViolation.require(
                    agrees,
                    HOLDINGS_EQUAL_THE_BOOK,
                    "in the end",
                    known,
                    simulation.store.view(user).connections(),
                    simulation.credentials.all().keySet());
        }
    }

    private static boolean isSame(CustodianHoldings known, PaperBook book) {
        CustodianHoldings now = PaperMatching.holdings(book, known.syncedAt());
        return known.with(List.of()).equals(now);
    }

    private PaperBook paper(UserId user) {
        return simulation.books.book(user, SimulatedUser.PAPER);
    }

    private CustodianHoldings known(UserId user, String custodian) {
        Portfolio portfolio = simulation.store.view(user).portfolio();
        CustodianHoldings known =
                portfolio == null ? null : portfolio.custodian(custodian).orElse(null);
        firstViolation.require(known != null, HOLDINGS_EQUAL_THE_BOOK, "nothing is recorded of", custodian);
        return known;
    }
}
