package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Brokers;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A broker whose accounts hold 1000 USD and take no orders. Orders and syncs of paper custodians are passed on. */
public final class ScriptedBroker implements Custodian, Brokers {
    /** The id of a key that the broker refuses. */
    public static final String REFUSED_KEY = "refused";

    private final Custodian paper;
    private final InstantSource clock;
    private final Set<String> forgotten = ConcurrentHashMap.newKeySet();
    private volatile boolean isAway;

    ScriptedBroker(Custodian paper, InstantSource clock) {
        this.paper = paper;
        this.clock = clock;
    }

    /** Makes the broker unreachable, or reachable again. */
    public void away(boolean away) {
        isAway = away;
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
    public CompletionStage<CustodianReply<BrokerAccount>> account(CustodianKind kind, BrokerCredentials credentials) {
        if (isAway) {
            return CompletableFuture.completedFuture(new CustodianReply.Away<>("The broker does not answer."));
        }
        return CompletableFuture.completedFuture(
                credentials.keyId().equals(REFUSED_KEY)
                        ? new CustodianReply.Refused<>("The broker refuses this key.")
                        : new CustodianReply.Given<>(new BrokerAccount("account")));
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
        return order.kind().isSynced() ? noOrders() : paper.place(order);
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
        return order.kind().isSynced() ? noOrders() : paper.cancel(order);
    }

    private static CompletionStage<CustodianReply<OrderReport>> noOrders() {
        return CompletableFuture.completedFuture(new CustodianReply.Refused<>("This broker takes no orders."));
    }

    @Override
    public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
        if (!query.kind().isSynced()) {
            return paper.sync(query).thenApply(reply -> reply.map(this::known));
        }
        if (isAway) {
            return CompletableFuture.completedFuture(new CustodianReply.Away<>("The broker does not answer."));
        }
        CustodianHoldings holdings = new CustodianHoldings(
                query.custodian(),
                query.name(),
                query.kind(),
                clock.instant(),
                query.revision() + 1,
                Usd.of(1000),
                List.of());
        return CompletableFuture.completedFuture(
                new CustodianReply.Given<>(new CustodianReport(holdings, List.of(), List.of(), true)));
    }
}
