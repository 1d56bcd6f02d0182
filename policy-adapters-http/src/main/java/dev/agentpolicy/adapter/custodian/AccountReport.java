package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.AccountReading.AccountActivity;
import dev.agentpolicy.adapter.custodian.AccountReading.AccountPicture;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAccount;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAsset;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaFill;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaPosition;
import dev.agentpolicy.adapter.custodian.MarketData.PriceAt;
import dev.agentpolicy.adapter.custodian.OrderIdentities.OrderIdentity;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says in the terms of the service what a picture of an account shows.
 *
 * @param query what was asked for
 * @param picture the account
 * @param identities the orders of its fills, by the broker's id
 */
record AccountReport(SyncQuery query, AccountPicture picture, Map<String, OrderIdentity> identities) {
    private static final int USD_DECIMALS = 8;
    /** Coins can cost less than a millionth of a cent. */
    private static final int PRICE_DECIMALS = 18;

    private static final int QUANTITY_DECIMALS = 18;
    /** Of quantities and prices of orders for which the broker says no other step. */
    private static final int ORDER_DECIMALS = 9;

    /**
     * The report.
     *
     * @throws CustodianFailure a refusal when the account cannot be used here; otherwise the broker has no price for
     *     something
     */
    CustodianReport report() {
        Optional<String> problem = picture.account().problem().or(this::shortPosition);
        if (problem.isPresent()) {
            throw CustodianFailure.refused(problem.get());
        }
        Optional<String> unpriced = unpriced();
        if (unpriced.isPresent()) {
            throw CustodianFailure.away(unpriced.get());
        }
        CustodianHoldings holdings = new CustodianHoldings(
                query.custodian(),
                query.name(),
                query.kind(),
                picture.began(),
                query.revision(),
                usd(picture.account().cash()),
                held().map(AccountReport::position).toList(),
                openOrders(picture));
        List<OrderReport> orders = new ArrayList<>();
        for (Order ordered : query.open()) {
            AlpacaOrder found = picture.activity().ours().get(ordered.clientOrderId());
            if (found != null) {
                orders.add(found.report(NewOrder.of(ordered)));
            }
        }
        List<Fill> fills = picture.activity().fills().stream()
                .filter(fill -> !fill.at().isAfter(picture.latestTime()))
                .flatMap(fill -> fill(fill).stream())
                .sorted(Comparator.comparing(Fill::executedAt).thenComparing(Fill::id))
                .toList();
        return new CustodianReport(holdings, orders, fills, picture.activity().isComplete(), warning());
    }

    /** Cash that no open buy holds; not below 0. A buy whose cost nobody knows leaves that open, and the broker is away. */
    static Usd freeCash(AlpacaAccount account, List<AlpacaPosition> positions, List<AlpacaOrder> open) {
        AccountActivity activity = new AccountActivity(open, Map.of(), List.of(), true);
        AccountPicture picture = new AccountPicture(Instant.EPOCH, account, positions, activity, Instant.EPOCH);
        unpricedBuy(picture).ifPresent(problem -> {
            throw CustodianFailure.away(problem);
        });
        return openOrders(picture).stream()
                .filter(order -> order.action() == Action.BUY)
                .map(OpenOrder::rest)
                .reduce(usd(account.cash()), Usd::minus)
                .max(Usd.ZERO);
    }

    /** The price of an asset with the steps of its orders. */
    static ReferencePrice reference(PriceAt price, AlpacaAsset asset, @Nullable BigDecimal free) {
        boolean isCoin = asset.instrument().type() == AssetType.CRYPTO;
        BigDecimal finest = BigDecimal.ONE.movePointLeft(ORDER_DECIMALS);
        BigDecimal parts = isCoin ? asset.quantityStep().orElse(finest) : finest;
        return new ReferencePrice(
                price(price.value()),
                Instants.truncated(price.at()),
                isCoin ? asset.priceStep().orElse(finest) : null,
                asset.isFractionable() ? parts : BigDecimal.ONE,
                free);
    }

    private Optional<String> shortPosition() {
        return picture.positions().stream()
                .filter(AlpacaPosition::isShort)
                .findFirst()
                .map(position -> "The account at Alpaca is short of "
                        + position.instrument().symbol() + "; short positions are not supported.");
    }

    private Optional<String> unpriced() {
        Optional<String> position = held().filter(each -> each.price().isEmpty())
                .findFirst()
                .map(each -> "Alpaca has no price for " + each.instrument().symbol() + ".");
        return position.or(() -> unpricedBuy(picture));
    }

    private static Optional<String> unpricedBuy(AccountPicture picture) {
        return picture.activity().openOfOthers().stream()
                .filter(order -> order.action() == Action.BUY
                        && price(picture, order).isEmpty()
                        && order.notional().isEmpty())
                .findFirst()
                .map(order -> "What the open order for " + order.instrument().symbol()
                        + " at Alpaca will cost is not known.");
    }

    private Stream<AlpacaPosition> held() {
        return held(picture);
    }

    private static Stream<AlpacaPosition> held(AccountPicture picture) {
        return picture.positions().stream()
                .filter(position ->
                        rounded(position.quantity(), QUANTITY_DECIMALS).signum() > 0);
    }

    /** Names the first fill that is left out because of its time. */
    private @Nullable String warning() {
        return picture.activity().fills().stream()
                .filter(fill -> fill.at().isAfter(picture.latestTime()))
                .min(Comparator.comparing(AlpacaFill::at).thenComparing(AlpacaFill::id))
                .map(fill -> "A fill of " + fill.quantity().toPlainString() + " "
                        + fill.instrument().symbol() + " is dated " + fill.at()
                        + ", later than Alpaca's clock; it is left out.")
                .orElse(null);
    }

    private static Position position(AlpacaPosition position) {
        return new Position(
                position.instrument().symbol(),
                position.instrument().type(),
                rounded(position.quantity(), QUANTITY_DECIMALS),
                price(position.price().orElseThrow()));
    }

    /** Sells of more than is held, such as two of which only one can be filled, count up to what is held. */
    private static List<OpenOrder> openOrders(AccountPicture picture) {
        Map<Instrument, BigDecimal> left = new HashMap<>();
        held(picture).forEach(position -> left.put(position.instrument(), position.quantity()));
        List<OpenOrder> open = new ArrayList<>();
        for (AlpacaOrder order : picture.activity().openOfOthers()) {
            Instrument instrument = order.instrument().base();
            Optional<BigDecimal> price = price(picture, order);
            BigDecimal rest;
            if (order.action() == Action.BUY) {
                rest = order.notional()
                        .map(notional -> notional.subtract(paid(order)))
                        .orElseGet(() -> unfilled(order).multiply(price.orElseThrow()));
            } else {
                BigDecimal held = left.getOrDefault(instrument, BigDecimal.ZERO);
                BigDecimal units = order.notional().isPresent() && price.isPresent()
                        ? order.notional()
                                .get()
                                .subtract(paid(order))
                                .divide(price.get(), QUANTITY_DECIMALS, RoundingMode.UP)
                        : unfilled(order);
                BigDecimal sold = units.min(held);
                left.put(instrument, held.subtract(sold));
                rest = sold.multiply(price.orElse(BigDecimal.ZERO));
            }
            if (rest.signum() > 0) {
                open.add(new OpenOrder(
                        order.clientOrderId(), order.action(), instrument.symbol(), instrument.type(), usd(rest)));
            }
        }
        return open;
    }

    private static BigDecimal paid(AlpacaOrder order) {
        return order.averagePrice().map(order.filledQuantity()::multiply).orElse(BigDecimal.ZERO);
    }

    private static BigDecimal unfilled(AlpacaOrder order) {
        return order.quantity()
                .orElse(BigDecimal.ZERO)
                .subtract(order.filledQuantity())
                .max(BigDecimal.ZERO);
    }

    /** What a unit of an open order is worth: a buy holds cash by its own bound, a sale holds what the position is worth. */
    private static Optional<BigDecimal> price(AccountPicture picture, AlpacaOrder order) {
        Instrument instrument = order.instrument();
        Optional<BigDecimal> bound =
                instrument.isPricedInDollars() ? order.bound().map(instrument.units()::multiply) : Optional.empty();
        Optional<BigDecimal> market = market(picture, instrument.base());
        return order.action() == Action.BUY ? bound.or(() -> market) : market.or(() -> bound);
    }

    private static Optional<BigDecimal> market(AccountPicture picture, Instrument instrument) {
        return picture.positions().stream()
                .filter(position -> position.instrument().equals(instrument))
                .findFirst()
                .flatMap(AlpacaPosition::price);
    }

    /**
     * Empty for a trade of one coin for another when the account holds neither, so that nobody knows its worth, and for
     * less than the smallest quantity. The order tells what its symbol is, but not that something else was traded.
     */
    private Optional<Fill> fill(AlpacaFill fill) {
        OrderIdentity order = identities.get(fill.orderId());
        Instrument traded =
                order != null && order.instrument().isNamed(fill.symbol()) ? order.instrument() : fill.instrument();
        Instrument instrument = traded.base();
        Optional<BigDecimal> price = traded.isPricedInDollars()
                ? Optional.of(fill.price().multiply(traded.units()))
                : market(picture, traded.quote()).map(fill.price()::multiply).or(() -> market(picture, instrument));
        BigDecimal quantity = rounded(fill.quantity(), QUANTITY_DECIMALS);
        return price.filter(each -> quantity.signum() > 0)
                .map(each -> new Fill(
                        query.custodian(),
                        fill.id(),
                        order == null ? null : order.clientOrderId(),
                        fill.action(),
                        instrument.symbol(),
                        instrument.type(),
                        quantity,
                        price(each),
                        usd(fill.quantity().multiply(each)),
                        fill.at()));
    }

    private static Usd price(BigDecimal value) {
        return new Usd(rounded(value, PRICE_DECIMALS));
    }

    private static Usd usd(BigDecimal value) {
        return new Usd(rounded(value, USD_DECIMALS));
    }

    private static BigDecimal rounded(BigDecimal value, int decimals) {
        return value.scale() > decimals ? value.setScale(decimals, RoundingMode.HALF_EVEN) : value;
    }
}
