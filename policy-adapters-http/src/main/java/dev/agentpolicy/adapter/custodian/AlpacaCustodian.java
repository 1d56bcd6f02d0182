package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.AccountReading.AccountActivity;
import dev.agentpolicy.adapter.custodian.AccountReading.AccountKey;
import dev.agentpolicy.adapter.custodian.AccountReading.AccountPicture;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAccount;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAsset;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaPosition;
import dev.agentpolicy.adapter.custodian.AlpacaClient.MarketClock;
import dev.agentpolicy.adapter.custodian.MarketData.PriceAt;
import dev.agentpolicy.domain.agent.UserId;
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
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The accounts at Alpaca that users connected (docs/custodians.md). The credentials of an account are read for each call,
 * so that new ones count at once.
 *
 * <p>A refusal that does not say whether an order exists, such as one of the credentials, leaves the order in doubt: its
 * request must not be accepted a second time while the first order may be at the broker.
 */
public final class AlpacaCustodian implements Custodian, Brokers {
    private static final int MAX_ACCOUNTS = 5_000;
    /** Of all calls of one reading; less than the lease of a sync. */
    private static final Duration MAX_SYNC = Duration.ofSeconds(60);

    private final AlpacaEndpoints endpoints;
    private final CustodianCredentials credentials;
    private final InstantSource clock;
    private final OrderIdentities identities = new OrderIdentities();
    private final RecentlyUsed<AccountKey, AccountActivity> latest = new RecentlyUsed<>(MAX_ACCOUNTS);

    /** @param clock tells when the reading of an account began */
    public AlpacaCustodian(AlpacaEndpoints endpoints, CustodianCredentials credentials, InstantSource clock) {
        this.endpoints = endpoints;
        this.credentials = credentials;
        this.clock = clock;
    }

    @Override
    public ReferencePrice price(Order wanted, Fraction slippage) {
        Instrument instrument = new Instrument(wanted.symbol(), wanted.assetType());
        AlpacaClient client = endpoints.client(find(wanted.userId(), wanted.custodian()));
        try {
            Optional<AlpacaAsset> asset = client.asset(instrument);
            obstacle(asset, instrument).ifPresent(obstacle -> {
                throw CustodianFailure.refused(obstacle);
            });
            BigDecimal free = free(client, wanted, instrument);
            MarketClock now = client.clock(clock.instant());
            PriceAt price =
                    new MarketData(client, instrument).reference(wanted.action(), slippage, now.time(), now.isOpen());
            return AccountReport.reference(price, asset.orElseThrow(), free);
        } catch (Declined declined) {
            throw declined.refusal();
        }
    }

    /**
     * The units that a sell may be of; null for a buy, which is refused if it costs more than the cash that no open buy holds.
     * The sum that the account may borrow is not looked at, and neither is what open sells will bring.
     */
    private @Nullable BigDecimal free(AlpacaClient client, Order wanted, Instrument instrument) throws Declined {
        List<AlpacaPosition> positions = client.positions();
        if (wanted.action() == Action.SELL) {
            return positions.stream()
                    .filter(held -> held.instrument().equals(instrument))
                    .map(AlpacaPosition::available)
                    .reduce(BigDecimal.ZERO, BigDecimal::add)
                    .max(BigDecimal.ZERO);
        }
        Usd cash = AccountReport.freeCash(client.account(), positions, client.openOrders());
        Usd amount = wanted.amount();
        if (amount != null && amount.isAbove(cash)) {
            throw CustodianFailure.refused(
                    "Alpaca has " + cash + " USD in cash that no open buy holds; the buy is for " + amount + " USD.");
        }
        return null;
    }

    @Override
    public OrderReport place(Order order) {
        if (!order.isBounded()) {
            throw new IllegalArgumentException("An order must have a bound.");
        }
        NewOrder wanted = NewOrder.of(order);
        AlpacaClient client = orderClient(order);
        try {
            Optional<String> obstacle = obstacle(client.asset(wanted.instrument()), wanted.instrument());
            if (obstacle.isPresent()) {
                // It may have been placed before there was an obstacle.
                return client.orderByClientOrderId(wanted.clientOrderId())
                        .orElseThrow(() -> CustodianFailure.refused(obstacle.get()))
                        .report(wanted);
            }
        } catch (Declined declined) {
            throw declined.doubt();
        }
        try {
            return client.place(wanted).report(wanted);
        } catch (Declined declined) {
            throw CustodianFailure.refused(declined.sentence("Alpaca refused the order"));
        }
    }

    /** Why an asset cannot be ordered. */
    private static Optional<String> obstacle(Optional<AlpacaAsset> found, Instrument wanted) {
        if (!wanted.isOrderedInDollars()) {
            return Optional.of(wanted.symbol() + " is not traded against US dollars, and nothing else is ordered.");
        }
        if (found.isEmpty()) {
            return Optional.of("Alpaca does not know " + wanted.symbol() + ".");
        }
        AlpacaAsset asset = found.get();
        boolean isNamedSo = asset.brokerSymbol().equals(wanted.orderSymbol());
        if (!isNamedSo || asset.instrument().type() != wanted.type()) {
            return Optional.of("At Alpaca, " + wanted.symbol() + " is another asset than the one of this order.");
        }
        if (!asset.isTradable()) {
            return Optional.of(wanted.symbol() + " cannot be traded at Alpaca.");
        }
        return Optional.empty();
    }

    @Override
    public OrderReport cancel(Order order) {
        NewOrder wanted = NewOrder.of(order);
        AlpacaClient client = orderClient(order);
        try {
            AlpacaOrder found = client.orderByClientOrderId(wanted.clientOrderId())
                    .orElseThrow(() -> CustodianFailure.refused("Alpaca does not know the order."));
            return (found.state().isOver() ? found : client.cancel(found.id())).report(wanted);
        } catch (Declined declined) {
            throw declined.doubt();
        }
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        AlpacaClient client =
                endpoints.client(find(query.user(), query.custodian())).within(MAX_SYNC);
        try {
            AccountPicture picture = new AccountReading(client, query, clock, latest).run();
            return new AccountReport(query, picture, identities.of(client, picture.activity())).report();
        } catch (Declined declined) {
            throw declined.refusal();
        }
    }

    @Override
    public BrokerAccount account(CustodianKind kind, BrokerCredentials key) {
        if (kind != CustodianKind.ALPACA) {
            throw CustodianFailure.refused("Accounts of the kind " + kind.wireName() + " cannot be connected.");
        }
        try {
            AlpacaAccount account = endpoints.client(key).account();
            account.problem().ifPresent(problem -> {
                throw CustodianFailure.refused(problem);
            });
            return new BrokerAccount(kind, account.id());
        } catch (Declined declined) {
            throw declined.refusal();
        }
    }

    /** The client for an order that may exist already: only a custodian that was never connected refuses. */
    private AlpacaClient orderClient(Order order) {
        BrokerCredentials found = find(order.userId(), order.custodian());
        try {
            return endpoints.client(found);
        } catch (CustodianFailure unusable) {
            throw CustodianFailure.away(unusable.reason());
        }
    }

    private BrokerCredentials find(UserId user, String custodian) {
        return credentials
                .find(user, custodian)
                .orElseThrow(() -> CustodianFailure.refused("There are no credentials for " + custodian + "."));
    }
}
