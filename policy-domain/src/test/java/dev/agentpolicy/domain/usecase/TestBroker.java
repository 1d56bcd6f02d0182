package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Brokers;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One account at a broker, in which orders are filled only when a test says so. */
public final class TestBroker implements Custodian, Brokers {
    private final Map<String, PlacedOrder> orders = new LinkedHashMap<>();
    private final List<Fill> fills = new ArrayList<>();
    private final Set<String> hidden = new HashSet<>();
    private final List<Position> positions = new ArrayList<>();
    private final List<OpenOrder> openOrdersOfOthers = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final Map<AssetSymbol, Usd> prices = new HashMap<>();
    private final List<Runnable> meanwhile = new ArrayList<>();
    private final InstantSource clock;
    private Usd cash = Usd.ZERO;
    private String account = "account-1";
    private String fillIds = "fill-";
    private @Nullable String away;
    private @Nullable RuntimeException bug;
    private @Nullable String refused;
    private @Nullable CustodianFailure unpriced;
    private @Nullable BigDecimal quantityStep;
    private @Nullable String wording;
    private @Nullable String leftOut;
    private int pageSize = 100;
    private int syncs;
    private List<Order> lookedFor = List.of();

    TestBroker(InstantSource clock) {
        this.clock = clock;
    }

    private record PlacedOrder(
            Order order,
            OrderState state,
            BigDecimal filled,
            @Nullable String warning) {
        OrderReport report() {
            return new OrderReport(order.clientOrderId(), "broker-" + order.clientOrderId(), state, filled, warning);
        }
    }

    /** Sets the cash of the account. */
    public TestBroker cash(Usd now) {
        cash = now;
        return this;
    }

    /** Sets a position and its price. */
    public TestBroker position(String symbol, AssetType type, String quantity, String price) {
        return position(new Position(new AssetSymbol(symbol), type, new BigDecimal(quantity), Usd.of(price)));
    }

    private TestBroker position(Position position) {
        positions.removeIf(held -> held.symbol().equals(position.symbol()) && held.assetType() == position.assetType());
        if (position.quantity().signum() > 0) {
            positions.add(position);
        }
        return this;
    }

    /** Adds an open order that another program placed. */
    public void openOrder(OpenOrder order) {
        openOrdersOfOthers.add(order);
    }

    /** Leads all credentials to another account. */
    public void account(String id) {
        account = id;
    }

    /** Begins the ids of further fills so. */
    public void fillIds(String begin) {
        fillIds = begin;
    }

    /** Lets the broker be away for a reason; null to come back. */
    public void away(@Nullable String reason) {
        away = reason;
    }

    /** Lets the broker refuse everything for a reason; null to stop that. */
    public void refusing(@Nullable String reason) {
        refused = reason;
    }

    /** Reports at most so many fills at once. */
    public void pageSize(int fillsInOneReport) {
        pageSize = fillsInOneReport;
    }

    /** Does something after the next report was made and before it arrives. */
    public void meanwhile(Runnable action) {
        meanwhile.add(action);
    }

    /** The number of reports so far. */
    public int syncs() {
        return syncs;
    }

    /** The orders that the last report was asked for. */
    public List<Order> lookedFor() {
        return lookedFor;
    }

    /** The client order ids of all calls for an order, repeated ones too, cancellations with a minus. */
    public List<String> asked() {
        return asked;
    }

    /** The client order ids of the orders that are there. */
    public List<String> orders() {
        return List.copyOf(orders.keySet());
    }

    /** The cash of the account. */
    public Usd cash() {
        return cash;
    }

    /** Whether an order is there and not over. */
    public boolean isOpen(String clientOrderId) {
        PlacedOrder placed = orders.get(clientOrderId);
        return placed != null && !placed.state.isOver();
    }

    /** Fills a part of an order; what is not open any more after all of it. */
    public Fill fill(String clientOrderId, String quantity, String price) {
        PlacedOrder placed = orders.get(clientOrderId);
        Order order = placed.order;
        Fill fill = traded(clientOrderId, order.action(), order.symbol(), order.assetType(), quantity, price);
        BigDecimal filled = placed.filled.add(fill.quantity());
        orders.put(clientOrderId, new PlacedOrder(order, new OrderState.PartiallyFilled(), filled, placed.warning));
        return fill;
    }

    /** Says that more units are filled of an order than there are fills. */
    public void overstate(String clientOrderId, String more) {
        PlacedOrder placed = orders.get(clientOrderId);
        BigDecimal filled = placed.filled.add(new BigDecimal(more));
        orders.put(clientOrderId, new PlacedOrder(placed.order, placed.state, filled, placed.warning));
    }

    /** Takes further orders in another form than they are placed; null to stop that. */
    public void wording(@Nullable String warning) {
        wording = warning;
    }

    /** Leaves something out of reports; null to stop that. */
    public void leavesOut(@Nullable String warning) {
        leftOut = warning;
    }

    /** Ends an order. */
    public void end(String clientOrderId, OrderState state) {
        PlacedOrder placed = orders.get(clientOrderId);
        orders.put(clientOrderId, new PlacedOrder(placed.order, state, placed.filled, placed.warning));
    }

    /** Forgets an order, as if it had never arrived. */
    public void lose(String clientOrderId) {
        orders.remove(clientOrderId);
    }

    /** Trades without an order of the service; the id may be null. */
    public Fill traded(
            @Nullable String clientOrderId,
            Action action,
            AssetSymbol symbol,
            AssetType type,
            String quantity,
            String price) {
        BigDecimal units = new BigDecimal(quantity);
        Usd amount = new Usd(units.multiply(new BigDecimal(price)));
        boolean isBuy = action == Action.BUY;
        BigDecimal held = positions.stream()
                .filter(position -> position.symbol().equals(symbol) && position.assetType() == type)
                .map(Position::quantity)
                .findFirst()
                .orElse(BigDecimal.ZERO);
        cash = isBuy ? cash.minus(amount) : cash.plus(amount);
        position(new Position(symbol, type, isBuy ? held.add(units) : held.subtract(units), Usd.of(price)));
        return reported(clientOrderId, action, symbol, type, quantity, price, clock.instant());
    }

    /** Reports a trade of some time ago that is in the holdings already. */
    public Fill reported(
            @Nullable String clientOrderId,
            Action action,
            AssetSymbol symbol,
            AssetType type,
            String quantity,
            String price,
            Instant at) {
        BigDecimal units = new BigDecimal(quantity);
        Fill fill = new Fill(
                "alpaca",
                fillIds + (fills.size() + 1),
                clientOrderId,
                action,
                symbol,
                type,
                units,
                Usd.of(price),
                new Usd(units.multiply(new BigDecimal(price))),
                at);
        fills.add(fill);
        return fill;
    }

    /** Keeps a fill out of reports until {@link #show}. */
    public void hide(Fill fill) {
        hidden.add(fill.id());
    }

    /** Shows the hidden fills. */
    public void show() {
        hidden.clear();
    }

    @Override
    public BrokerAccount account(CustodianKind kind, BrokerCredentials credentials) {
        return replied(() -> new BrokerAccount(kind, account));
    }

    /** Lets the market of an asset be at a price, whatever its position is worth. */
    public void market(String symbol, String price) {
        prices.put(new AssetSymbol(symbol), Usd.of(price));
    }

    /** Lets no asset have a price for a reason; null to stop that. */
    public void unpriced(@Nullable CustodianFailure reason) {
        unpriced = reason;
    }

    /** Takes orders for units in these steps from now on, in place of amounts. */
    public void quantityStep(String step) {
        quantityStep = new BigDecimal(step);
    }

    /** Answers while orders are away, as market data of its own does. */
    @Override
    public ReferencePrice price(Order wanted, Fraction slippage) {
        if (unpriced != null) {
            throw unpriced;
        }
        Position held = positions.stream()
                .filter(position -> position.symbol().equals(wanted.symbol()))
                .findFirst()
                .orElse(null);
        Usd price = prices.getOrDefault(wanted.symbol(), held == null ? Usd.of(100) : held.price());
        BigDecimal free = wanted.action() == Action.BUY || held == null ? null : held.quantity();
        return new ReferencePrice(price, clock.instant(), null, quantityStep, free);
    }

    /** Has an order that an earlier version of the service placed, without a bound. */
    public void placedBefore(Order order) {
        orders.put(order.clientOrderId(), new PlacedOrder(order, new OrderState.Open(), BigDecimal.ZERO, null));
    }

    /** The order that is there. */
    public Order order(String clientOrderId) {
        return orders.get(clientOrderId).order;
    }

    @Override
    public OrderReport place(Order order) {
        if (!order.isBounded()) {
            throw new AssertionError("an order without a bound");
        }
        asked.add(order.clientOrderId());
        return replied(() -> orders.computeIfAbsent(
                        order.clientOrderId(),
                        id -> new PlacedOrder(order, new OrderState.Open(), BigDecimal.ZERO, wording))
                .report());
    }

    @Override
    public OrderReport cancel(Order order) {
        asked.add("-" + order.clientOrderId());
        PlacedOrder placed = orders.get(order.clientOrderId());
        if (placed == null && away == null) {
            throw CustodianFailure.refused("There is no such order.");
        }
        return replied(() -> placed.report());
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        syncs++;
        lookedFor = query.open();
        try {
            return replied(() -> report(query));
        } finally {
            List<Runnable> now = List.copyOf(meanwhile);
            meanwhile.clear();
            now.forEach(Runnable::run);
        }
    }

    private CustodianReport report(SyncQuery query) {
        List<Fill> later = fills.stream()
                .filter(fill -> !fill.executedAt().isBefore(query.fillsSince()))
                .filter(fill -> !hidden.contains(fill.id()))
                .sorted(Comparator.comparing(Fill::executedAt))
                .toList();
        List<OrderReport> known = query.open().stream()
                .flatMap(order -> orders.containsKey(order.clientOrderId())
                        ? List.of(orders.get(order.clientOrderId()).report()).stream()
                        : List.<OrderReport>of().stream())
                .toList();
        CustodianHoldings holdings = new CustodianHoldings(
                query.custodian(),
                query.name(),
                query.kind(),
                clock.instant(),
                query.revision(),
                cash,
                positions,
                openOrdersOfOthers);
        return new CustodianReport(
                holdings, known, later.stream().limit(pageSize).toList(), later.size() <= pageSize, leftOut);
    }

    /** Lets every call fail by a bug; null to stop that. */
    public void breaks(@Nullable RuntimeException bug) {
        this.bug = bug;
    }

    private <T> T replied(Supplier<T> answer) {
        if (bug != null) {
            throw bug;
        }
        if (away != null) {
            throw CustodianFailure.away(away);
        }
        if (refused != null) {
            throw CustodianFailure.refused(refused);
        }
        return answer.get();
    }
}
