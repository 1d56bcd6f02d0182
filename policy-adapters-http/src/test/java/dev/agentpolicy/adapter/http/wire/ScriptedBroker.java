package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Brokers;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A broker whose accounts hold 1000 USD and take no orders. Orders and syncs of paper custodians are passed on. */
public final class ScriptedBroker implements Custodian, Brokers {
    /** The id of a key that the broker refuses. */
    public static final String REFUSED_KEY = "refused";

    private final Custodian paper;
    private final InstantSource clock;
    private final Set<String> forgotten = ConcurrentHashMap.newKeySet();
    private volatile boolean isAway;
    private volatile CompletableFuture<Void> answering = CompletableFuture.completedFuture(null);

    ScriptedBroker(Custodian paper, InstantSource clock) {
        this.paper = paper;
        this.clock = clock;
    }

    /** Makes the broker unreachable, or reachable again. */
    public void away(boolean away) {
        isAway = away;
    }

    /** Takes orders and cancellations without an answer until the result is completed. */
    public CompletableFuture<Void> silent() {
        CompletableFuture<Void> silence = new CompletableFuture<>();
        answering = silence;
        return silence;
    }

    /** Knows an order no more, not even one of a paper custodian. */
    public void forget(String clientOrderId) {
        forgotten.add(clientOrderId);
    }

    private CustodianReport known(CustodianReport report) {
        List<OrderReport> orders = report.orders().stream()
                .filter(order -> !forgotten.contains(order.clientOrderId()))
                .toList();
        return new CustodianReport(report.holdings(), orders, report.fills(), report.isComplete());
    }

    @Override
    public BrokerAccount account(CustodianKind kind, BrokerCredentials credentials) {
        requireReachable();
        if (credentials.keyId().equals(REFUSED_KEY)) {
            throw CustodianFailure.refused("The broker refuses this key.");
        }
        return new BrokerAccount(kind, "account");
    }

    @Override
    public ReferencePrice price(Order wanted, Fraction slippage) {
        requirePaper(wanted);
        return paper.price(wanted, slippage);
    }

    @Override
    public OrderReport place(Order order) {
        requirePaper(order);
        answering.join();
        return paper.place(order);
    }

    @Override
    public OrderReport cancel(Order order) {
        requirePaper(order);
        answering.join();
        return paper.cancel(order);
    }

    private static void requirePaper(Order order) {
        if (order.kind().isSynced()) {
            throw CustodianFailure.refused("This broker takes no orders.");
        }
    }

    private void requireReachable() {
        if (isAway) {
            throw CustodianFailure.away("The broker does not answer.");
        }
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        if (!query.kind().isSynced()) {
            return known(paper.sync(query));
        }
        requireReachable();
        CustodianHoldings holdings = new CustodianHoldings(
                query.custodian(),
                query.name(),
                query.kind(),
                clock.instant(),
                query.revision() + 1,
                Usd.of(1000),
                List.of());
        return new CustodianReport(holdings, List.of(), List.of(), true);
    }
}
