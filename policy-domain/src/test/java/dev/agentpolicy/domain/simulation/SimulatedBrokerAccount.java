package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The account of one user at the simulated broker: balances, orders and fills. */
final class SimulatedBrokerAccount {
    private static final AssetSymbol BTC = new AssetSymbol("BTC");
    private static final AssetSymbol SPY = new AssetSymbol("SPY");
    private static final int QUANTITY_DECIMALS = 9;
    private static final Duration CLOCK_ERRORS = Duration.ofSeconds(1);
    private static final Usd SMALLEST = Usd.of(1);

    private final Simulation simulation;
    private final SimulatedBroker broker;
    private final UserId user;
    private final Map<String, BrokerOrder> orders = new HashMap<>();
    private final Map<String, BrokerOrder> open = new LinkedHashMap<>();
    private final List<Fill> fills = new ArrayList<>();
    private final Map<String, Fill> fillsById = new HashMap<>();
    private final List<Balance> balances = new ArrayList<>();
    private int own;

    SimulatedBrokerAccount(Simulation simulation, SimulatedBroker broker, UserId user) {
        this.simulation = simulation;
        this.broker = broker;
        this.user = user;
        balances.add(new Balance(
                Usd.of(12_000),
                Map.of(
                        BTC,
                        new BigDecimal("0.5"),
                        SPY,
                        new BigDecimal(60),
                        new AssetSymbol(AssetInvariants.GROVE),
                        BigDecimal.ONE)));
    }

    /** What the account held after one of its changes. */
    private record Balance(Usd cash, Map<AssetSymbol, BigDecimal> quantities) {

        BigDecimal quantity(AssetSymbol symbol) {
            return quantities.getOrDefault(symbol, BigDecimal.ZERO);
        }

        Balance with(Usd nextCash, AssetSymbol symbol, BigDecimal quantity) {
            Map<AssetSymbol, BigDecimal> next = new HashMap<>(quantities);
            if (quantity.signum() == 0) {
                next.remove(symbol);
            } else {
                next.put(symbol, quantity);
            }
            return new Balance(nextCash, next);
        }

        boolean is(CustodianHoldings holdings) {
            return cash.equals(holdings.cash())
                    && holdings.positions().size() == quantities.size()
                    && holdings.positions().stream()
                            .allMatch(position -> position.quantity().compareTo(quantity(position.symbol())) == 0);
        }
    }

    private static final class BrokerOrder {
        private final Order order;
        private final boolean isRefused;
        private OrderState state;
        private BigDecimal quantity = BigDecimal.ZERO;
        private Usd filled = Usd.ZERO;
        private int endVersion;

        BrokerOrder(Order order, String problem) {
            this.order = order;
            this.isRefused = problem != null;
            this.state = problem == null ? new OrderState.Open() : new OrderState.Rejected(problem);
        }

        /** What it may still cost or bring, by its bound. */
        Usd rest() {
            return order.amount() != null
                    ? order.amount().minus(filled).max(Usd.ZERO)
                    : new Usd(order.quantity()
                            .subtract(quantity)
                            .multiply(order.limit().value()));
        }

        OrderReport report() {
            return new OrderReport(order.clientOrderId(), "at-" + order.clientOrderId(), state, quantity);
        }
    }

    ReferencePrice price(Order wanted) {
        boolean isBuy = wanted.action() == Action.BUY;
        if (isBuy && wanted.amount().isAbove(free())) {
            throw CustodianFailure.refused("There is too little cash for the order.");
        }
        return new ReferencePrice(
                broker.price(wanted.symbol()),
                simulation.clock.instant(),
                null,
                BigDecimal.ONE.movePointLeft(QUANTITY_DECIMALS),
                isBuy ? null : balance().quantity(wanted.symbol()));
    }

    /** Takes an order once. A copy that arrives after the order was refused is refused too. */
    OrderReport place(Order order) {
        if (!order.isBounded()) {
            throw new AssertionError("an order without a bound: " + order);
        }
        BrokerOrder known = orders.get(order.clientOrderId());
        if (known == null) {
            known = new BrokerOrder(order, problem(order));
            orders.put(order.clientOrderId(), known);
            if (!known.isRefused) {
                open.put(order.clientOrderId(), known);
                simulation.checker.placed(order);
                goOn(known, simulation.random.nextInt(4));
            }
        }
        if (known.isRefused) {
            throw CustodianFailure.refused(((OrderState.Rejected) known.state).reason());
        }
        return known.report();
    }

    OrderReport cancel(Order order) {
        BrokerOrder known = orders.get(order.clientOrderId());
        if (known == null || known.isRefused) {
            throw CustodianFailure.refused("There is no such order.");
        }
        if (!known.state.isOver() && !simulation.happens(4)) {
            end(known, new OrderState.Cancelled());
        }
        return known.report();
    }

    CustodianReport sync(SyncQuery query, Instant askedAt) {
        List<Fill> since = new ArrayList<>();
        for (int i = fills.size() - 1; i >= 0; i--) {
            Instant at = fills.get(i).executedAt();
            if (at.isBefore(query.fillsSince().minus(CLOCK_ERRORS))) {
                break;
            }
            if (!at.isBefore(query.fillsSince())) {
                since.add(0, fills.get(i));
            }
        }
        boolean isCut = since.size() > 1 && simulation.happens(6);
        List<OrderReport> reports = query.open().stream()
                .map(order -> orders.get(order.clientOrderId()))
                .filter(order -> order != null && !order.isRefused)
                .map(BrokerOrder::report)
                .toList();
        simulation.checker.staleness.reported(user, askedAt);
        return new CustodianReport(
                holdings(query.revision(), askedAt),
                reports,
                isCut ? since.subList(0, 1 + simulation.random.nextInt(since.size() - 1)) : since,
                !isCut);
    }

    /** How an order stands; null when it was not taken. */
    OrderReport order(String clientOrderId) {
        BrokerOrder known = orders.get(clientOrderId);
        return known == null || known.isRefused ? null : known.report();
    }

    Fill fill(String id) {
        return fillsById.get(id);
    }

    List<Fill> fills() {
        return fills;
    }

    /** The number of the last balance that recorded holdings equal; -1 when they never were right. */
    int version(CustodianHoldings recorded) {
        int version = balances.size() - 1;
        while (version >= 0 && !balances.get(version).is(recorded)) {
            version--;
        }
        return version;
    }

    /** The number of the balance that an order left when it ended. */
    int endVersion(String clientOrderId) {
        return orders.get(clientOrderId).endVersion;
    }

    int version() {
        return balances.size() - 1;
    }

    /** Lets some time in the life of the open orders pass. */
    void goOn() {
        List.copyOf(open.values()).forEach(order -> goOn(order, simulation.random.nextInt(12)));
    }

    /** Fills all open orders. */
    void finish() {
        List.copyOf(open.values()).forEach(order -> {
            if (isWithinBound(order)) {
                fill(order, units(order), true);
            } else {
                end(order, new OrderState.Expired());
            }
        });
    }

    private boolean isWithinBound(BrokerOrder it) {
        Usd limit = it.order.limit();
        Usd price = broker.price(it.order.symbol());
        return limit == null || (it.order.action() == Action.BUY ? !price.isAbove(limit) : !price.isBelow(limit));
    }

    /** What is not filled of an order. */
    private BigDecimal units(BrokerOrder it) {
        return it.order.quantity() != null
                ? it.order.quantity().subtract(it.quantity)
                : quantity(it.rest(), it.order.symbol());
    }

    private void goOn(BrokerOrder it, int what) {
        boolean isTraded = (broker.isOpen() || it.order.assetType() == AssetType.CRYPTO) && isWithinBound(it);
        if (what < 2 && isTraded) {
            fill(it, units(it), true);
        } else if (what < 5 && isTraded) {
            fill(it, units(it).divide(new BigDecimal(2), QUANTITY_DECIMALS, RoundingMode.DOWN), false);
        } else if (what == 9) {
            end(it, new OrderState.Expired());
        } else if (what == 10) {
            end(it, new OrderState.Cancelled());
        } else if (what == 11 && it.quantity.signum() == 0) {
            end(it, new OrderState.Rejected("The broker rejected the order."));
        }
    }

    /** The user trades at the broker, which knows nothing of the service. */
    void trade() {
        Random random = simulation.random;
        boolean isBtc = random.nextBoolean();
        String id = random.nextInt(5) == 0 ? "request-" + random.nextInt(20) + "-1-abc" : "own";
        Order order = new Order(
                id + ++own,
                user,
                SimulatedBroker.ID,
                CustodianKind.ALPACA,
                random.nextBoolean() ? Action.BUY : Action.SELL,
                isBtc ? BTC : SPY,
                isBtc ? AssetType.CRYPTO : AssetType.TRADFI,
                new Usd(BigDecimal.valueOf(100 + random.nextInt(90_000), 2)),
                null,
                null,
                null);
        if (problem(order) == null) {
            BrokerOrder traded = new BrokerOrder(order, null);
            orders.put(order.clientOrderId(), traded);
            open.put(order.clientOrderId(), traded);
            boolean mayStayOpen = !id.startsWith("request-") && random.nextInt(3) == 0;
            if (!mayStayOpen) {
                fill(traded, units(traded), true);
            }
        }
    }

    /** Pays cash in, or out as far as it is there. */
    void transfer() {
        int usd = simulation.random.nextInt(4_000) - 2_000;
        Balance before = balance();
        Usd after = usd < 0 ? before.cash.minus(least(free(), Usd.of(-usd))) : before.cash.plus(Usd.of(usd));
        balances.add(new Balance(after, before.quantities));
    }

    private static Usd least(Usd a, Usd b) {
        return a.isAbove(b) ? b : a;
    }

    private Balance balance() {
        return balances.get(balances.size() - 1);
    }

    private CustodianHoldings holdings(long revision, Instant at) {
        List<Position> positions = new ArrayList<>();
        balance()
                .quantities
                .forEach((symbol, quantity) ->
                        positions.add(new Position(symbol, type(symbol), quantity, broker.price(symbol))));
        positions.sort((a, b) -> a.symbol().value().compareTo(b.symbol().value()));
        List<OpenOrder> others = open.values().stream()
                .filter(it -> OrderAttempt.requestId(it.order.clientOrderId()).isEmpty())
                .map(it -> new OpenOrder(
                        it.order.clientOrderId(),
                        it.order.action(),
                        it.order.symbol(),
                        it.order.assetType(),
                        it.rest()))
                .toList();
        return new CustodianHoldings(
                SimulatedBroker.ID, "Broker", CustodianKind.ALPACA, at, revision, balance().cash, positions, others);
    }

    private static AssetType type(AssetSymbol symbol) {
        return symbol.equals(SPY) ? AssetType.TRADFI : AssetType.CRYPTO;
    }

    /** Why an order is refused; null when it is not. */
    private String problem(Order order) {
        if (simulation.happens(15)) {
            return "The account is restricted.";
        }
        Usd amount = new BrokerOrder(order, null).rest();
        if (amount.isBelow(SMALLEST)) {
            return "The order is too small.";
        }
        boolean isLack = order.action() == Action.BUY
                ? amount.isAbove(free())
                : units(new BrokerOrder(order, null)).compareTo(balance().quantity(order.symbol())) > 0;
        return isLack ? "There is too little for the order." : null;
    }

    /** Cash that no open buy holds. */
    private Usd free() {
        Usd free = balance().cash;
        for (BrokerOrder it : open.values()) {
            free = it.order.action() == Action.BUY ? free.minus(it.rest()) : free;
        }
        return free.max(Usd.ZERO);
    }

    private BigDecimal quantity(Usd amount, AssetSymbol symbol) {
        return amount.value().divide(broker.price(symbol).value(), QUANTITY_DECIMALS, RoundingMode.DOWN);
    }

    private void fill(BrokerOrder it, BigDecimal quantity, boolean isWhole) {
        Order order = it.order;
        Usd paid = new Usd(quantity.multiply(broker.price(order.symbol()).value()));
        boolean isBuy = order.action() == Action.BUY;
        Balance before = balance();
        BigDecimal held = before.quantity(order.symbol());
        if (!isBuy && quantity.compareTo(held) > 0) {
            end(it, new OrderState.Cancelled());
            return;
        }
        if (quantity.signum() > 0) {
            it.quantity = it.quantity.add(quantity);
            it.filled = it.filled.plus(paid);
            it.state = new OrderState.PartiallyFilled();
            balances.add(
                    isBuy
                            ? before.with(before.cash.minus(paid), order.symbol(), held.add(quantity))
                            : before.with(before.cash.plus(paid), order.symbol(), held.subtract(quantity)));
            Fill fill = new Fill(
                    SimulatedBroker.ID,
                    "fill-" + (fills.size() + 1),
                    order.clientOrderId(),
                    order.action(),
                    order.symbol(),
                    order.assetType(),
                    quantity,
                    broker.price(order.symbol()),
                    paid,
                    simulation.clock.instant());
            fills.add(fill);
            fillsById.put(fill.id(), fill);
            simulation.checker.filled(order);
        }
        if (isWhole) {
            end(it, new OrderState.Filled());
        }
    }

    private void end(BrokerOrder it, OrderState how) {
        it.state = how;
        it.endVersion = balances.size() - 1;
        open.remove(it.order.clientOrderId());
    }
}
