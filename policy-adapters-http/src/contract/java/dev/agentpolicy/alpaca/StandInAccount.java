package dev.agentpolicy.alpaca;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.alpaca.StandInMarket.Listing;
import dev.agentpolicy.alpaca.StandInOrder.Ticket;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One account of the stand-in. Safe for threads. */
public final class StandInAccount {
    private static final DateTimeFormatter ACTIVITY_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS").withZone(ZoneOffset.UTC);
    private static final BigDecimal SMALLEST_ORDER = BigDecimal.ONE;
    private static final BigDecimal HALF = new BigDecimal("0.5");
    private static final int CENTS = 2;
    private static final int MAX_ID_LENGTH = 128;
    private static final int MAX_PAGE = 100;

    private final String keyId;
    private final String secretKey;
    private final StandInMarket market;
    private final String id = UUID.randomUUID().toString();
    private final Map<String, StandInOrder> orders = new LinkedHashMap<>();
    private final Map<String, StandInOrder> byClientOrderId = new HashMap<>();
    private final Map<String, Holding> holdings = new TreeMap<>();
    private final List<Activity> activities = new ArrayList<>();
    private final RateWindow rate = new RateWindow();
    private BigDecimal cash;
    private boolean isBlocked;
    private String status = "ACTIVE";
    private String currency = "USD";
    private int listingsWithoutLatest;

    /** Units of an asset, negative when short, and what they cost. */
    private record Holding(Listing listing, BigDecimal units, BigDecimal cost) {}

    /** A fill as it is listed. */
    private record Activity(String id, Instant at, ObjectNode json) {}

    StandInAccount(String keyId, String secretKey, String cash, StandInMarket market) {
        this.keyId = keyId;
        this.secretKey = secretKey;
        this.cash = new BigDecimal(cash);
        this.market = market;
    }

    public String keyId() {
        return keyId;
    }

    public String secretKey() {
        return secretKey;
    }

    RateWindow rate() {
        return rate;
    }

    /** Sets what it holds of an asset; a negative quantity is a short position. */
    public synchronized StandInAccount hold(String symbol, String units) {
        Listing listing = market.listed(symbol);
        BigDecimal quantity = new BigDecimal(units);
        holdings.put(listing.symbol(), new Holding(listing, quantity, quantity.multiply(listing.price())));
        return this;
    }

    /** Limits the calls in a minute. */
    public void limitCallsPerMinute(int calls) {
        rate.limit(calls);
    }

    /** Lets the account trade no more, or again. */
    public synchronized void block(boolean blocks) {
        isBlocked = blocks;
    }

    /** Sets the status of the account, such as {@code ACCOUNT_CLOSED}. */
    public synchronized void status(String next) {
        status = next;
    }

    /** Sets the currency of the account. */
    public synchronized void currency(String next) {
        currency = next;
    }

    /** Leaves the latest fill out of the next lists of fills, as a broker whose books are written one after the other. */
    public synchronized void listLatestFillLate(int lists) {
        listingsWithoutLatest = lists;
    }

    /** Cash without what may be borrowed. */
    public synchronized BigDecimal cash() {
        return cash;
    }

    /** The units that it holds of an asset. */
    public synchronized BigDecimal units(String symbol) {
        Holding holding = holdings.get(market.listed(symbol).symbol());
        return holding == null ? BigDecimal.ZERO : holding.units();
    }

    /** The client order ids of all orders, in the order of their arrival. */
    public synchronized List<String> clientOrderIds() {
        return orders.values().stream().map(order -> order.clientOrderId).toList();
    }

    /** The client order ids of the orders that are not over. */
    public synchronized List<String> openClientOrderIds() {
        return orders.values().stream()
                .filter(StandInOrder::isOpen)
                .map(order -> order.clientOrderId)
                .toList();
    }

    /** The units that are filled of an order. */
    public synchronized BigDecimal filled(String clientOrderId) {
        return known(clientOrderId).filled();
    }

    /** The ids of all fills, the oldest first. */
    public synchronized List<String> fillIds() {
        return activities.stream().map(Activity::id).toList();
    }

    /** Trades some units at once as the user would in the broker's own app, without a client order id of ours. */
    public synchronized void tradeByHand(String symbol, boolean isBuy, String units) {
        Ticket ticket = new Ticket(
                UUID.randomUUID().toString(), market.listed(symbol), isBuy, null, new BigDecimal(units), null, "day");
        StandInOrder order = add(ticket);
        fill(order, BigDecimal.ONE);
    }

    /** Adds an order to buy for an amount that is not filled before the test does so. */
    public synchronized void leaveOpen(String symbol, String notional, String clientOrderId) {
        Listing listing = market.listed(symbol);
        add(new Ticket(
                clientOrderId,
                listing,
                true,
                new BigDecimal(notional),
                null,
                null,
                listing.isCrypto() ? "gtc" : "day"));
    }

    /**
     * Adds an order for units that is not filled before the test does so.
     *
     * @param limit the limit price; null for a market order
     */
    public synchronized void leaveOpen(
            String symbol, boolean isBuy, String units, @Nullable String limit, String clientOrderId) {
        Listing listing = market.listed(symbol);
        add(new Ticket(
                clientOrderId,
                listing,
                isBuy,
                null,
                new BigDecimal(units),
                limit == null ? null : new BigDecimal(limit),
                listing.isCrypto() ? "gtc" : "day"));
    }

    /** Fills a share of what is open of an order: 1 for all of it. */
    public synchronized void fill(String clientOrderId, String share) {
        fill(known(clientOrderId), new BigDecimal(share));
    }

    /** Ends an open order as {@code rejected}, {@code expired} or {@code canceled}. */
    public synchronized void end(String clientOrderId, String status) {
        known(clientOrderId).end(status, market.now());
    }

    private StandInOrder known(String clientOrderId) {
        StandInOrder order = byClientOrderId.get(clientOrderId);
        if (order == null) {
            throw new IllegalArgumentException("There is no order " + clientOrderId + ".");
        }
        return order;
    }

    /** Executes what waited for the market. */
    synchronized void marketOpened() {
        List.copyOf(orders.values()).stream().filter(StandInOrder::isOpen).forEach(this::execute);
    }

    /** Executes the limit orders that a new price reaches. */
    synchronized void priceMoved() {
        List.copyOf(orders.values()).stream()
                .filter(order -> order.isOpen() && order.limit != null)
                .filter(order -> market.execution() == StandInMarket.Execution.AT_ONCE)
                .forEach(this::execute);
    }

    /** Ends the orders of the day. */
    synchronized void marketClosed() {
        orders.values().stream()
                .filter(order -> order.isOpen() && !order.listing.isCrypto())
                .forEach(order -> order.end("expired", market.now()));
    }

    synchronized ObjectNode place(JsonNode body) {
        Ticket ticket = ticket(body);
        if (isBlocked) {
            throw RefusedCall.forbidden("account is restricted from trading");
        }
        if (!market.isTradable(ticket.listing())) {
            throw RefusedCall.unprocessable("asset " + ticket.listing().symbol() + " is not tradable");
        }
        if (ticket.notional() != null && !market.isFractionable(ticket.listing())) {
            throw RefusedCall.forbidden("asset \"" + ticket.listing().symbol() + "\" is not fractionable");
        }
        if (byClientOrderId.containsKey(ticket.clientOrderId())) {
            throw RefusedCall.duplicate();
        }
        checkFunds(ticket);
        StandInOrder order = add(ticket);
        ObjectNode answer = order.asJson();
        execute(order);
        return answer;
    }

    private StandInOrder add(Ticket ticket) {
        String status = market.isOpenFor(ticket.listing()) ? "pending_new" : "accepted";
        StandInOrder order = new StandInOrder(ticket, status, market.now());
        orders.put(order.id, order);
        byClientOrderId.put(order.clientOrderId, order);
        return order;
    }

    private void execute(StandInOrder order) {
        if (!market.isOpenFor(order.listing)) {
            return;
        }
        if (!order.isMarketable(market.listed(order.listing.symbol()).price())) {
            order.end(order.filled().signum() > 0 ? "partially_filled" : "new", market.now());
            return;
        }
        switch (market.execution()) {
            case AT_ONCE -> fill(order, BigDecimal.ONE);
            case HALF -> fill(order, HALF);
            case BY_HAND -> order.end("new", market.now());
            case REJECTED -> order.end("rejected", market.now());
        }
    }

    private Ticket ticket(JsonNode body) {
        Listing listing = market.listed(body.path("symbol").asText());
        BigDecimal notional = decimal(body, "notional");
        BigDecimal quantity = decimal(body, "qty");
        if ((notional == null) == (quantity == null)) {
            throw RefusedCall.unprocessable("either qty or notional is required");
        }
        String type = body.path("type").asText();
        BigDecimal limit = decimal(body, "limit_price");
        if (!type.equals("market") && !type.equals("limit")) {
            throw RefusedCall.unprocessable("invalid order type for the stand-in");
        }
        if (type.equals("limit") != (limit != null)) {
            throw RefusedCall.unprocessable("limit orders require a limit price");
        }
        if (limit != null && !listing.isCrypto() && limit.scale() > (limit.compareTo(BigDecimal.ONE) < 0 ? 4 : CENTS)) {
            throw RefusedCall.unprocessable(
                    "invalid limit_price " + limit + ". sub-penny increment does not fulfill minimum pricing criteria");
        }
        if (quantity != null
                && !market.isFractionable(listing)
                && quantity.stripTrailingZeros().scale() > 0) {
            throw RefusedCall.forbidden("asset \"" + listing.symbol() + "\" is not fractionable");
        }
        if (quantity != null && quantity.scale() > StandInOrder.DECIMALS) {
            throw RefusedCall.unprocessable("qty must be limited to 9 decimal places");
        }
        if (notional != null && notional.scale() > CENTS) {
            throw RefusedCall.unprocessable("notional value must be limited to 2 decimal places");
        }
        String side = body.path("side").asText();
        if (!side.equals("buy") && !side.equals("sell")) {
            throw RefusedCall.unprocessable("invalid side");
        }
        String clientOrderId =
                body.path("client_order_id").asText(UUID.randomUUID().toString());
        if (clientOrderId.isEmpty() || clientOrderId.length() > MAX_ID_LENGTH) {
            throw RefusedCall.unprocessable("client_order_id must be no more than 128 characters");
        }
        return new Ticket(
                clientOrderId, listing, side.equals("buy"), notional, quantity, limit, timeInForce(body, listing));
    }

    private static String timeInForce(JsonNode body, Listing listing) {
        String time = body.path("time_in_force").asText();
        if (listing.isCrypto() && !time.equals("gtc") && !time.equals("ioc")) {
            throw RefusedCall.unprocessable("invalid crypto time_in_force");
        }
        if (!listing.isCrypto() && !time.equals("day")) {
            throw RefusedCall.unprocessable("fractional orders must be DAY orders");
        }
        return time;
    }

    private static @Nullable BigDecimal decimal(JsonNode body, String member) {
        JsonNode value = body.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        try {
            BigDecimal number = new BigDecimal(value.asText());
            if (number.signum() <= 0) {
                throw RefusedCall.unprocessable(member + " must be > 0");
            }
            return number;
        } catch (NumberFormatException notANumber) {
            throw RefusedCall.unprocessable("invalid " + member);
        }
    }

    private void checkFunds(Ticket ticket) {
        StandInOrder asked = new StandInOrder(ticket, "new", market.now());
        if (ticket.isBuy()) {
            if (asked.heldCash().compareTo(SMALLEST_ORDER) < 0) {
                throw RefusedCall.forbidden("cost basis must be >= minimal amount of order 1");
            }
            if (asked.heldCash().compareTo(buyingPower()) > 0) {
                throw RefusedCall.forbidden("insufficient buying power");
            }
            return;
        }
        BigDecimal available = availableUnits(ticket.listing());
        if (asked.heldUnits().compareTo(available) > 0) {
            throw RefusedCall.forbidden("insufficient qty available for order (requested: "
                    + StandInOrder.plain(asked.heldUnits()) + ", available: " + StandInOrder.plain(available) + ")");
        }
    }

    private BigDecimal buyingPower() {
        BigDecimal held = orders.values().stream().map(StandInOrder::heldCash).reduce(BigDecimal.ZERO, BigDecimal::add);
        return cash.subtract(held);
    }

    private BigDecimal availableUnits(Listing listing) {
        BigDecimal held = orders.values().stream()
                .filter(order -> order.listing.symbol().equals(listing.symbol()))
                .map(StandInOrder::heldUnits)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        Holding holding = holdings.get(listing.symbol());
        return holding == null ? BigDecimal.ZERO : holding.units().subtract(held);
    }

    private void fill(StandInOrder order, BigDecimal share) {
        BigDecimal price = market.listed(order.listing.symbol()).price();
        BigDecimal rest = order.units(price).subtract(order.filled());
        BigDecimal units = rest.multiply(share).setScale(StandInOrder.DECIMALS, RoundingMode.DOWN);
        boolean isLast = share.compareTo(BigDecimal.ONE) == 0;
        Instant now = market.now();
        BigDecimal signed = order.isBuy ? units : units.negate();
        BigDecimal amount = signed.multiply(price);
        cash = cash.subtract(amount);
        holdings.merge(
                order.listing.symbol(),
                new Holding(order.listing, signed, amount),
                (old, more) -> new Holding(
                        old.listing(), old.units().add(more.units()), old.cost().add(more.cost())));
        order.fill(units, price, isLast, now);
        String activityId = ACTIVITY_TIME.format(now) + "::" + UUID.randomUUID();
        activities.add(
                new Activity(activityId, now, fillAsJson(activityId, order, units, price, rest.subtract(units), now)));
        activities.sort(Comparator.comparing(Activity::id));
    }

    private static ObjectNode fillAsJson(
            String id, StandInOrder order, BigDecimal units, BigDecimal price, BigDecimal left, Instant at) {
        boolean isLast = order.status().equals("filled");
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", id);
        node.put("activity_type", "FILL");
        node.put("transaction_time", at.toString());
        node.put("type", isLast ? "fill" : "partial_fill");
        node.put("price", StandInOrder.plain(price));
        node.put("qty", StandInOrder.plain(units));
        node.put("side", order.isBuy ? "buy" : "sell");
        node.put("symbol", order.listing.symbol());
        node.put("leaves_qty", StandInOrder.plain(isLast ? BigDecimal.ZERO : left));
        node.put("order_id", order.id);
        node.put("cum_qty", StandInOrder.plain(order.filled()));
        node.put("order_status", order.status());
        return node;
    }

    synchronized ObjectNode orderAsJson(String orderId) {
        return found(orders.get(orderId), orderId).asJson();
    }

    /** An order as the broker tells it. */
    public synchronized ObjectNode orderByClientOrderIdAsJson(String clientOrderId) {
        return found(byClientOrderId.get(clientOrderId), clientOrderId).asJson();
    }

    synchronized void cancel(String orderId) {
        StandInOrder order = found(orders.get(orderId), orderId);
        if (!order.isOpen()) {
            throw RefusedCall.unprocessable("order is already in \"" + order.status() + "\" state");
        }
        order.end("canceled", market.now());
    }

    private static StandInOrder found(@Nullable StandInOrder order, String id) {
        if (order == null) {
            throw RefusedCall.notFound("order not found for " + id);
        }
        return order;
    }

    /** The orders of one status, the latest first. */
    synchronized ArrayNode ordersAsJson(String status, int limit, Optional<String> before) {
        List<StandInOrder> latestFirst = new ArrayList<>(orders.values());
        Collections.reverse(latestFirst);
        Stream<StandInOrder> wanted = latestFirst.stream();
        if (before.isPresent()) {
            StandInOrder last = found(orders.get(before.get()), before.get());
            wanted = latestFirst.subList(latestFirst.indexOf(last) + 1, latestFirst.size()).stream();
        }
        ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
        wanted.filter(order -> status.equals("all") || order.isOpen() == status.equals("open"))
                .limit(limit)
                .forEach(order -> nodes.add(order.asJson()));
        return nodes;
    }

    /** One page of fills. */
    synchronized ArrayNode fillsAsJson(Map<String, String> query) {
        boolean isAscending = query.getOrDefault("direction", "desc").equals("asc");
        int size = Integer.parseInt(query.getOrDefault("page_size", String.valueOf(MAX_PAGE)));
        if (size < 1 || size > MAX_PAGE) {
            throw RefusedCall.unprocessable("page size must be between 1 and 100");
        }
        Optional<String> token = Optional.ofNullable(query.get("page_token"));
        Optional<Instant> after = Optional.ofNullable(query.get("after")).map(Instant::parse);
        Optional<Instant> until = Optional.ofNullable(query.get("until")).map(Instant::parse);
        Comparator<Activity> order = Comparator.comparing(Activity::id);
        ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
        int listed = activities.size();
        if (listingsWithoutLatest > 0) {
            listingsWithoutLatest--;
            listed = Math.max(0, listed - 1);
        }
        activities.stream()
                .limit(listed)
                .sorted(isAscending ? order : order.reversed())
                .filter(each -> token.isEmpty() || (each.id().compareTo(token.get()) > 0) == isAscending)
                .filter(each -> token.isEmpty() || !each.id().equals(token.get()))
                .filter(each -> after.isEmpty() || each.at().isAfter(after.get()))
                .filter(each -> until.isEmpty() || each.at().isBefore(until.get()))
                .limit(size)
                .forEach(each -> nodes.add(each.json()));
        return nodes;
    }

    synchronized ArrayNode positionsAsJson() {
        ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
        holdings.values().stream()
                .filter(holding -> holding.units().signum() != 0)
                .forEach(holding -> nodes.add(asJson(holding)));
        return nodes;
    }

    private ObjectNode asJson(Holding holding) {
        Listing listing = market.listed(holding.listing().symbol());
        BigDecimal units = holding.units();
        BigDecimal value = units.multiply(listing.price());
        BigDecimal profit = value.subtract(holding.cost());
        BigDecimal held = units.subtract(availableUnits(listing));
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("asset_id", listing.id());
        node.put("symbol", listing.joined());
        node.put("exchange", listing.exchange());
        node.put("asset_class", listing.assetClass());
        node.put("asset_marginable", !listing.isCrypto());
        node.put("qty", StandInOrder.plain(units));
        node.put("qty_available", StandInOrder.plain(units.subtract(held)));
        node.put(
                "avg_entry_price",
                StandInOrder.plain(holding.cost().divide(units, StandInOrder.DECIMALS, RoundingMode.HALF_UP)));
        node.put("side", units.signum() < 0 ? "short" : "long");
        node.put("market_value", StandInOrder.plain(value));
        node.put("cost_basis", StandInOrder.plain(holding.cost()));
        node.put("unrealized_pl", StandInOrder.plain(profit));
        node.put("unrealized_plpc", "0");
        node.put("unrealized_intraday_pl", StandInOrder.plain(profit));
        node.put("unrealized_intraday_plpc", "0");
        node.put("current_price", market.isQuoted(listing) ? StandInOrder.plain(listing.price()) : null);
        node.put("lastday_price", StandInOrder.plain(listing.price()));
        node.put("change_today", "0");
        return node;
    }

    synchronized ObjectNode asJson() {
        BigDecimal longs = value(true);
        BigDecimal shorts = value(false);
        String equity = StandInOrder.plain(cash.add(longs).add(shorts));
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", id);
        node.put("account_number", "PA" + id.substring(0, 8).toUpperCase(Locale.ROOT));
        node.put("status", status);
        node.put("crypto_status", "ACTIVE");
        node.put("currency", currency);
        node.put("cash", StandInOrder.plain(cash));
        node.put("buying_power", StandInOrder.plain(buyingPower()));
        node.put("non_marginable_buying_power", StandInOrder.plain(buyingPower()));
        node.put("portfolio_value", equity);
        node.put("equity", equity);
        node.put("last_equity", equity);
        node.put("long_market_value", StandInOrder.plain(longs));
        node.put("short_market_value", StandInOrder.plain(shorts));
        node.put("multiplier", "1");
        node.put("shorting_enabled", false);
        node.put("pattern_day_trader", false);
        node.put("trading_blocked", isBlocked);
        node.put("transfers_blocked", false);
        node.put("account_blocked", false);
        node.put("trade_suspended_by_user", false);
        node.put("daytrade_count", 0);
        node.put("created_at", "2024-01-02T03:04:05.678901Z");
        return node;
    }

    private BigDecimal value(boolean isLong) {
        return holdings.values().stream()
                .filter(holding -> (holding.units().signum() > 0) == isLong)
                .map(holding -> holding.units()
                        .multiply(market.listed(holding.listing().symbol()).price()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
