package dev.agentpolicy.alpaca;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** The assets of the stand-in, their prices, its clock and its hours. Safe for threads. */
public final class StandInMarket {
    private static final Duration SESSION = Duration.ofHours(6).plusMinutes(30);

    private final ConcurrentSkipListMap<String, Listing> listings = new ConcurrentSkipListMap<>();
    private final InstantSource clock;
    private final Runnable moved;
    private final Map<String, Optional<ObjectNode>> quotes = new ConcurrentHashMap<>();
    private final Map<String, Optional<ObjectNode>> trades = new ConcurrentHashMap<>();
    private final Set<String> untradable = ConcurrentHashMap.newKeySet();
    private final Set<String> whole = ConcurrentHashMap.newKeySet();
    private final Set<String> unpriced = ConcurrentHashMap.newKeySet();
    private volatile Duration skew = Duration.ZERO;
    private volatile boolean isOpen = true;
    private volatile Execution execution = Execution.AT_ONCE;

    /** What becomes of accepted orders for which the market is open. */
    public enum Execution {
        /** They are filled completely, right after they were accepted. */
        AT_ONCE,
        /** Half of each is filled, right after it was accepted; the rest waits. */
        HALF,
        /** They wait for the test. */
        BY_HAND,
        /** They are rejected, right after they were accepted. */
        REJECTED
    }

    /**
     * An asset.
     *
     * @param symbol {@code BTC/USD} for crypto
     * @param price of one unit in dollars
     */
    record Listing(String symbol, boolean isCrypto, BigDecimal price) {

        String id() {
            return UUID.nameUUIDFromBytes(symbol.getBytes(StandardCharsets.UTF_8))
                    .toString();
        }

        String assetClass() {
            return isCrypto ? "crypto" : "us_equity";
        }

        String exchange() {
            return isCrypto ? "CRYPTO" : "NASDAQ";
        }

        /** As positions name it. */
        String joined() {
            return symbol.replace("/", "");
        }

        /** Ids are found in any case, with dashes and without. */
        boolean isNamed(String name) {
            return name.equals(symbol)
                    || name.equals(joined())
                    || name.replace("-", "").equalsIgnoreCase(id().replace("-", ""));
        }
    }

    /** @param moved runs after a price was set */
    StandInMarket(InstantSource clock, Runnable moved) {
        this.clock = clock;
        this.moved = moved;
    }

    /** Sets the price of a share or fund, which is listed if it was not. */
    public StandInMarket share(String symbol, String price) {
        listings.put(symbol, new Listing(symbol, false, new BigDecimal(price)));
        moved.run();
        return this;
    }

    /** Sets the price of a coin, named {@code BTC/USD}, which is listed if it was not. */
    public StandInMarket coin(String pair, String price) {
        listings.put(pair, new Listing(pair, true, new BigDecimal(price)));
        moved.run();
        return this;
    }

    /** Sets the latest quote of an asset, which is otherwise its price on both sides, made now. */
    public void bidAndAsk(String symbol, String bid, String ask, Duration age) {
        quotes.put(symbol, Optional.of(quote(new BigDecimal(bid), new BigDecimal(ask), now().minus(age))));
    }

    /** Sets the latest trade of an asset, which is otherwise at its price, made now. */
    public void lastTrade(String symbol, String price, Duration age) {
        trades.put(symbol, Optional.of(trade(new BigDecimal(price), now().minus(age))));
    }

    /** Has no quotes and no trades of an asset. */
    public void silence(String symbol) {
        quotes.put(symbol, Optional.empty());
        trades.put(symbol, Optional.empty());
    }

    /** The latest quotes or trades of assets; those that are not known are missing. */
    ObjectNode latestAsJson(String kind, boolean isCrypto, String symbols) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ObjectNode all = node.putObject(kind);
        for (String symbol : symbols.split(",")) {
            Listing listing = listings.get(symbol);
            if (listing != null && listing.isCrypto() == isCrypto) {
                Optional<ObjectNode> set = (kind.equals("quotes") ? quotes : trades).get(symbol);
                BigDecimal price = listing.price();
                (set != null
                                ? set
                                : Optional.of(kind.equals("quotes") ? quote(price, price, now()) : trade(price, now())))
                        .ifPresent(each -> all.set(symbol, each));
            }
        }
        return node;
    }

    private static ObjectNode quote(BigDecimal bid, BigDecimal ask, Instant at) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("t", at.toString());
        node.put("ap", ask).put("as", 1).put("ax", "V");
        node.put("bp", bid).put("bs", 1).put("bx", "V");
        node.putArray("c").add("R");
        return node.put("z", "B");
    }

    private static ObjectNode trade(BigDecimal price, Instant at) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("t", at.toString()).put("x", "V").put("p", price).put("s", 1).put("i", 1);
        node.putArray("c").add("@");
        return node.put("z", "B").put("tks", "B");
    }

    /** Takes no more orders for an asset. */
    public void halt(String symbol) {
        untradable.add(symbol);
    }

    /** Takes orders for an asset by whole units only. */
    public void onlyWholeUnits(String symbol) {
        whole.add(symbol);
    }

    /** Lists positions of an asset with a price, or without one. */
    public void quote(String symbol, boolean hasPrice) {
        if (hasPrice) {
            unpriced.remove(symbol);
        } else {
            unpriced.add(symbol);
        }
    }

    boolean isQuoted(Listing listing) {
        return !unpriced.contains(listing.symbol());
    }

    boolean isTradable(Listing listing) {
        return !untradable.contains(listing.symbol());
    }

    boolean isFractionable(Listing listing) {
        return !whole.contains(listing.symbol());
    }

    /** Decides what becomes of orders from now on. */
    public void execution(Execution next) {
        execution = next;
    }

    /** Sets the clock of the broker before or behind that of its clients. */
    public void skew(Duration ahead) {
        skew = ahead;
    }

    void open(boolean opens) {
        isOpen = opens;
    }

    Execution execution() {
        return execution;
    }

    boolean isOpenFor(Listing listing) {
        return listing.isCrypto() || isOpen;
    }

    Instant now() {
        return clock.instant().plus(skew);
    }

    Optional<Listing> find(String name) {
        return listings.values().stream().filter(each -> each.isNamed(name)).findFirst();
    }

    /** The asset that an order is for. */
    Listing listed(String symbol) {
        return find(symbol).orElseThrow(() -> RefusedCall.unprocessable("asset \"" + symbol + "\" not found"));
    }

    ObjectNode clockAsJson() {
        Instant now = now();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("timestamp", now.toString());
        node.put("is_open", isOpen);
        node.put("next_open", now.plus(Duration.ofDays(1)).toString());
        node.put("next_close", now.plus(isOpen ? SESSION : SESSION.plusDays(1)).toString());
        return node;
    }

    ArrayNode assetsAsJson(Optional<String> assetClass) {
        ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
        Stream<Listing> wanted = listings.values().stream()
                .filter(each -> assetClass.isEmpty() || assetClass.get().equals(each.assetClass()));
        wanted.forEach(each -> nodes.add(asJson(each)));
        return nodes;
    }

    ObjectNode asJson(Listing listing) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", listing.id());
        node.put("class", listing.assetClass());
        node.put("exchange", listing.exchange());
        node.put("symbol", listing.symbol());
        node.put("name", listing.symbol() + " of the stand-in");
        node.put("status", "active");
        node.put("tradable", isTradable(listing));
        node.put("marginable", !listing.isCrypto());
        node.put("maintenance_margin_requirement", listing.isCrypto() ? 100 : 30);
        node.put("shortable", !listing.isCrypto());
        node.put("easy_to_borrow", !listing.isCrypto());
        node.put("fractionable", isFractionable(listing));
        node.putArray("attributes");
        if (listing.isCrypto()) {
            node.put("min_order_size", "0.000000001");
            node.put("min_trade_increment", "0.000000001");
            node.put("price_increment", "0.000000001");
        }
        return node;
    }
}
