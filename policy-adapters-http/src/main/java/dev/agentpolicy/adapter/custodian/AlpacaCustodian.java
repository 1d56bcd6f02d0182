package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Away;
import dev.agentpolicy.domain.custodian.CustodianReply.Given;
import dev.agentpolicy.domain.custodian.CustodianReply.Refused;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.CustodianCredentials;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The accounts at Alpaca that users connected (docs/custodians.md). The credentials of an account are read for each call,
 * so that new ones count at once.
 *
 * <p>A refusal that does not say whether an order exists, such as one of the credentials, leaves the order in doubt: its
 * request must not be accepted a second time while the first order may be at the broker.
 */
public final class AlpacaCustodian implements Custodian {
    private final AlpacaEndpoints endpoints;
    private final CustodianCredentials credentials;
    private final InstantSource clock;
    private final OrderIdentities identities = new OrderIdentities();
    private final LatestActivities latest = new LatestActivities();

    /** @param clock tells when the reading of an account began */
    public AlpacaCustodian(AlpacaEndpoints endpoints, CustodianCredentials credentials, InstantSource clock) {
        this.endpoints = endpoints;
        this.credentials = credentials;
        this.clock = clock;
    }

    @Override
    public OrderReport place(Order order) {
        return BrokerReplies.await(NewOrder.of(order)
                .then(wanted -> orderClient(order).thenCompose(reply -> reply.then(client -> place(client, wanted)))));
    }

    private static CompletionStage<CustodianReply<OrderReport>> place(AlpacaClient client, NewOrder wanted) {
        return client.asset(wanted.instrument())
                .thenCompose(result -> BrokerReplies.inDoubt(result).then(asset -> {
                    Optional<String> obstacle = obstacle(asset, wanted.instrument());
                    return obstacle.isPresent()
                            ? unlessThere(client, wanted, obstacle.get())
                            : client.place(wanted).thenApply(sent -> placed(sent, wanted));
                }));
    }

    private static CustodianReply<OrderReport> placed(BrokerResult<AlpacaOrder> result, NewOrder wanted) {
        return result.fold(
                order -> new Given<>(order.report(wanted)),
                declined -> new Refused<>(BrokerReplies.sentence("Alpaca refused the order", declined.reason())),
                unreachable -> new Away<>(unreachable.reason()));
    }

    /** Why an asset cannot be ordered by amount. The broker also finds assets by ids and other names. */
    private static Optional<String> obstacle(Optional<AlpacaAsset> asset, Instrument wanted) {
        if (!AlpacaSymbols.isOrderedInDollars(wanted)) {
            return Optional.of(wanted.symbol() + " is not traded against US dollars, and nothing else is ordered.");
        }
        if (asset.isEmpty()) {
            return Optional.of("Alpaca does not know " + wanted.symbol() + ".");
        }
        boolean isNamedSo = asset.get().brokerSymbol().equals(AlpacaSymbols.forOrder(wanted));
        if (!isNamedSo || asset.get().instrument().type() != wanted.type()) {
            return Optional.of("At Alpaca, " + wanted.symbol() + " is another asset than the one of this order.");
        }
        if (!asset.get().isTradable()) {
            return Optional.of(wanted.symbol() + " cannot be traded at Alpaca.");
        }
        return asset.get().isFractionable()
                ? Optional.empty()
                : Optional.of("Alpaca takes no orders by amount for " + wanted.symbol() + ".");
    }

    /** Refuses an order unless it was placed before there was an obstacle. */
    private static CompletionStage<CustodianReply<OrderReport>> unlessThere(
            AlpacaClient client, NewOrder wanted, String obstacle) {
        return client.orderByClientOrderId(wanted.clientOrderId())
                .thenApply(result -> BrokerReplies.inDoubt(result)
                        .<CustodianReply<OrderReport>>fold(
                                found -> found.<CustodianReply<OrderReport>>map(
                                                order -> new Given<>(order.report(wanted)))
                                        .orElseGet(() -> new Refused<>(obstacle)),
                                refused -> new Away<>(refused.reason()),
                                away -> new Away<>(away.reason())));
    }

    @Override
    public OrderReport cancel(Order order) {
        return BrokerReplies.await(NewOrder.of(order)
                .then(wanted -> orderClient(order).thenCompose(reply -> reply.then(client -> cancel(client, wanted)))));
    }

    private static CompletionStage<CustodianReply<OrderReport>> cancel(AlpacaClient client, NewOrder wanted) {
        return client.orderByClientOrderId(wanted.clientOrderId())
                .thenCompose(result -> BrokerReplies.inDoubt(result).then(found -> {
                    if (found.isEmpty()) {
                        return CompletableFuture.completedFuture(new Refused<>("Alpaca does not know the order."));
                    }
                    return found.get().state().isFinal()
                            ? CompletableFuture.completedFuture(
                                    new Given<>(found.get().report(wanted)))
                            : client.cancel(found.get().id())
                                    .thenApply(cancelled ->
                                            BrokerReplies.inDoubt(cancelled.map(order -> order.report(wanted))));
                }));
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        return BrokerReplies.await(find(query.user(), query.custodian())
                .thenCompose(reply ->
                        reply.then(found -> endpoints.client(found).then(client -> sync(client, query)))));
    }

    private CompletionStage<CustodianReply<CustodianReport>> sync(AlpacaClient client, SyncQuery query) {
        return new AccountReading(client, query, clock, latest)
                .run()
                .thenCompose(result -> result.then(picture -> identities
                        .of(client, picture.activity())
                        .thenApply(found -> found.map(orders -> new AccountReport(query, picture, orders)))))
                .thenApply(BrokerReplies::ofRead)
                .thenCompose(reply -> reply.then(report -> CompletableFuture.completedFuture(report.reply())));
    }

    /** The client for an order that may exist already: only a custodian that was never connected refuses. */
    private CompletionStage<CustodianReply<AlpacaClient>> orderClient(Order order) {
        return find(order.userId(), order.custodian())
                .thenApply(reply -> reply.fold(
                        found -> endpoints
                                .client(found)
                                .<CustodianReply<AlpacaClient>>fold(
                                        Given::new,
                                        refused -> new Away<>(refused.reason()),
                                        away -> new Away<>(away.reason())),
                        refused -> new Refused<>(refused.reason()),
                        away -> new Away<>(away.reason())));
    }

    private CompletionStage<CustodianReply<BrokerCredentials>> find(UserId user, String custodian) {
        return CompletableFuture.completedFuture(credentials
                .find(user, custodian)
                .<CustodianReply<BrokerCredentials>>map(Given::new)
                .orElseGet(() -> new Refused<>("There are no credentials for " + custodian + ".")));
    }
}
