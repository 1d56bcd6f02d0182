package dev.agentpolicy.adapter.custodian;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.adapter.custodian.AlpacaJson.Shape;
import dev.agentpolicy.adapter.custodian.AlpacaTransport.AnswerReader;
import dev.agentpolicy.adapter.custodian.AlpacaTransport.BrokerCall;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One account at Alpaca. Every call is repeated as the policy of the transport says, and then throws
 * {@link Declined}, or {@link CustodianFailure} when the broker is away.
 *
 * @param transport to the Trading API
 * @param data to the Market Data API
 * @param credentials of the account
 */
record AlpacaClient(AlpacaTransport transport, AlpacaTransport data, BrokerCredentials credentials) {
    private static final int MAX_ORDERS_PER_PAGE = 500;
    private static final int MAX_ORDER_PAGES = 20;
    private static final int MAX_FILLS_PER_PAGE = 100;
    /** After each so many pages a reading of fills may end. */
    private static final int FILL_PAGES = 10;

    private static final int MAX_FILLS = 5_000;
    /** A reading of many fills must reach this far, or the next one would begin at the same place. */
    private static final Duration MIN_SPAN = Duration.ofMinutes(30);
    /** No order is sent later, so that whoever must not send it knows when no copy is on its way any more. */
    private static final Duration MAX_SENDING = Duration.ofSeconds(60);

    private static final Pattern NAMES_THE_ID = Pattern.compile("(?i).*client.?order.?id.*");
    /** A fill that is dated later than this after the broker's clock cannot be. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);
    /** Between the clocks of a broker and of this machine. */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofDays(1);

    private static final int OK = 200;
    private static final int MULTIPLE_CHOICES = 300;
    private static final int NOT_FOUND = 404;
    private static final int UNPROCESSABLE = 422;

    /**
     * An account at Alpaca.
     *
     * @param id a UUID
     * @param status {@code ACTIVE} when it can trade
     * @param currency of cash and equity, {@code USD} for most
     * @param cash settled and unsettled, without what may be borrowed; not reduced by open orders; negative when borrowed
     * @param equity cash and all positions at their prices
     * @param isBlocked whether it may not trade, whatever its status
     */
    record AlpacaAccount(
            String id, String status, String currency, BigDecimal cash, BigDecimal equity, boolean isBlocked) {
        static AlpacaAccount of(AlpacaJson json) throws FailedAttempt {
            return new AlpacaAccount(
                    json.text("id"),
                    json.text("status"),
                    json.text("currency"),
                    json.required(json.usd("cash"), "cash"),
                    json.required(json.usd("equity"), "equity"),
                    json.flag("trading_blocked")
                            || json.flag("account_blocked")
                            || json.flag("trade_suspended_by_user"));
        }

        /** Why the service cannot use the account, as a sentence for the user; empty when it can. */
        Optional<String> problem() {
            if (!status.equals("ACTIVE")) {
                return Optional.of("The account at Alpaca is not active; its status is " + status + ".");
            }
            if (isBlocked) {
                return Optional.of("The account at Alpaca is blocked from trading.");
            }
            if (!currency.equals("USD")) {
                return Optional.of("The account at Alpaca is kept in " + currency + "; only USD is supported.");
            }
            return cash.signum() < 0
                    ? Optional.of("The account at Alpaca owes cash; accounts that borrow are not supported.")
                    : Optional.empty();
        }
    }

    /** This client for calls that may take so long together, from now on. Then the broker is away. */
    AlpacaClient within(Duration all) {
        return new AlpacaClient(transport.within(all), data.within(all), credentials);
    }

    /** The account itself. */
    AlpacaAccount account() throws Declined {
        return get("/v2/account", AlpacaAccount::of);
    }

    /**
     * A position of an account.
     *
     * @param quantity in units; negative when the account owes the asset
     * @param available the part of the quantity that no open order holds
     * @param price of one unit in dollars, of an option that of the contract; empty when the broker has none
     * @param marketValue in dollars, of the sign of the quantity; empty when the broker has no price
     */
    record AlpacaPosition(
            Instrument instrument,
            BigDecimal quantity,
            BigDecimal available,
            Optional<BigDecimal> price,
            Optional<BigDecimal> marketValue) {
        static AlpacaPosition of(AlpacaJson json) throws FailedAttempt {
            boolean isShort = json.text("side").equals("short");
            BigDecimal quantity = signed(json.required(json.units("qty"), "qty"), isShort);
            Instrument instrument = Instrument.of(json.text("symbol"), json.text("asset_class"));
            return new AlpacaPosition(
                    instrument,
                    quantity,
                    signed(json.units("qty_available").orElse(quantity), isShort),
                    json.positiveUsd("current_price").map(instrument.units()::multiply),
                    json.usd("market_value").map(value -> signed(value, isShort)));
        }

        private static BigDecimal signed(BigDecimal value, boolean isNegative) {
            return isNegative ? value.abs().negate() : value;
        }

        boolean isShort() {
            return quantity.signum() < 0;
        }
    }

    /** Everything the account holds, and what it owes. */
    List<AlpacaPosition> positions() throws Declined {
        return get("/v2/positions", json -> json.list(AlpacaPosition::of));
    }

    /**
     * An asset that Alpaca knows.
     *
     * @param brokerSymbol how Alpaca names it, {@code BTC/USD}
     * @param isTradable whether orders are accepted at all
     * @param isFractionable whether parts of a unit are traded
     * @param quantityStep of orders, as far as the broker says it
     * @param priceStep of limit prices, as far as the broker says it
     */
    record AlpacaAsset(
            Instrument instrument,
            String brokerSymbol,
            boolean isTradable,
            boolean isFractionable,
            Optional<BigDecimal> quantityStep,
            Optional<BigDecimal> priceStep) {
        static AlpacaAsset of(AlpacaJson json) throws FailedAttempt {
            String symbol = json.text("symbol");
            return new AlpacaAsset(
                    Instrument.of(symbol, json.text("class")),
                    symbol,
                    json.flag("tradable"),
                    json.flag("fractionable"),
                    json.positiveUnits("min_trade_increment"),
                    json.positiveUsd("price_increment"));
        }
    }

    /** What the Market Data API says of a symbol. */
    <T> T marketData(String path, String symbol, Shape<T> shape) throws Declined {
        return data.repeat(
                credentials, new BrokerCall<>("GET", path + "?symbols=" + encode(symbol), null, answer(shape)));
    }

    /** One asset, which the broker also finds by ids and other names; empty when it does not know it. */
    Optional<AlpacaAsset> asset(Instrument instrument) throws Declined {
        return find("/v2/assets/" + encode(instrument.orderSymbol()), AlpacaAsset::of);
    }

    /**
     * The broker's clock.
     *
     * @param time may differ from the local one
     * @param isOpen whether the market of shares is open
     */
    record MarketClock(Instant time, boolean isOpen) {}

    /**
     * The broker's clock.
     *
     * @param now the local time
     * @throws CustodianFailure when the broker's time cannot be
     */
    MarketClock clock(Instant now) throws Declined {
        MarketClock clock = get("/v2/clock", json -> new MarketClock(json.instant("timestamp"), json.flag("is_open")));
        if (Duration.between(now, clock.time()).abs().compareTo(MAX_CLOCK_DIFFERENCE) > 0) {
            throw CustodianFailure.away("Alpaca's clock is at " + clock.time() + ", which cannot be.");
        }
        return clock;
    }

    /**
     * The latest time that a fill can have, by the broker's clock: a minute from now. The clock is asked only if the last
     * answer does not settle it.
     *
     * @param latest the time of the latest fill
     * @param now the local time
     */
    Instant latestTime(Instant latest, Instant now) throws Declined {
        Instant known = transport.lastTime().plus(CLOCK_TOLERANCE);
        if (!latest.isAfter(known) && !known.isAfter(now.plus(CLOCK_TOLERANCE))) {
            return known;
        }
        Instant time = clock(now).time();
        transport.heard(time);
        return time.plus(CLOCK_TOLERANCE);
    }

    /** An order by the id that the broker gave; empty when it does not know it. */
    Optional<AlpacaOrder> order(String orderId) throws Declined {
        return find("/v2/orders/" + encode(orderId), AlpacaOrder.named("id", AlpacaOrder::id, orderId));
    }

    /** An order by the id that it was placed with; empty when the broker does not know it. */
    Optional<AlpacaOrder> orderByClientOrderId(String clientOrderId) throws Declined {
        return find(
                "/v2/orders:by_client_order_id?client_order_id=" + encode(clientOrderId),
                withClientOrderId(clientOrderId));
    }

    private static Shape<AlpacaOrder> withClientOrderId(String clientOrderId) {
        return AlpacaOrder.named("client_order_id", AlpacaOrder::clientOrderId, clientOrderId);
    }

    /**
     * The orders that are not over, the latest first, whoever placed them. An account with more than 10 000 is refused,
     * since its cash cannot be told.
     */
    List<AlpacaOrder> openOrders() throws Declined {
        Map<String, AlpacaOrder> byId = new LinkedHashMap<>();
        for (int page = 0; page < MAX_ORDER_PAGES; page++) {
            List<AlpacaOrder> all = List.copyOf(byId.values());
            OrderPage read = orders("open", all);
            read.orders().forEach(order -> byId.put(order.id(), order));
            if (read.listed() < MAX_ORDERS_PER_PAGE) {
                return List.copyOf(byId.values());
            }
            requireNews(byId.size() > all.size(), "open orders");
        }
        throw new Declined(OK, "The account has too many open orders.");
    }

    /** The orders of a page, and how many the broker listed there. */
    record OrderPage(List<AlpacaOrder> orders, int listed) {}

    /**
     * Up to 500 orders, whoever placed them, the latest first.
     *
     * @param status {@code open} or {@code all}
     * @param before only orders before the last one of these
     */
    OrderPage orders(String status, List<AlpacaOrder> before) throws Declined {
        String from = before.isEmpty()
                ? ""
                : "&before_order_id=" + encode(before.get(before.size() - 1).id());
        String path = "/v2/orders?status=" + status + "&nested=false&direction=desc&limit=" + MAX_ORDERS_PER_PAGE;
        return get(path + from, AlpacaOrder::page);
    }

    /**
     * One execution of an order, or of a part of it.
     *
     * @param id unique in its account
     * @param orderId the broker's id of the order
     * @param symbol as the broker names it
     * @param instrument what was traded; told from the symbol alone, so prefer the one of the order
     * @param action the direction; a short sale is a sell
     * @param quantity the units of this fill, not of the order
     * @param price of one unit in dollars; of a pair that keeps its quote, such as {@code ETH/BTC}, in that
     * @param at by the broker's clock
     */
    record AlpacaFill(
            String id,
            String orderId,
            String symbol,
            Instrument instrument,
            Action action,
            BigDecimal quantity,
            BigDecimal price,
            Instant at) {
        static AlpacaFill of(AlpacaJson json) throws FailedAttempt {
            return new AlpacaFill(
                    json.id("id"),
                    json.id("order_id"),
                    json.text("symbol"),
                    Instrument.of(json.text("symbol")),
                    json.side(),
                    json.required(json.positiveUnits("qty"), "qty"),
                    json.required(json.positiveUsd("price"), "price"),
                    json.instant("transaction_time"));
        }
    }

    /**
     * Fills of an account.
     *
     * @param fills the oldest first, none twice
     * @param isComplete whether there are no later ones
     */
    record FillBatch(List<AlpacaFill> fills, boolean isComplete) {}

    /**
     * Fills that are later than a time of the broker, all for the epoch. Not all of them if they are more than 1 000; then
     * they are of half an hour, or 5 000.
     *
     * <p>A fill can become visible after a later one. To miss none, read from a time before the last one that was seen,
     * and ignore fills whose id is known.
     */
    FillBatch fills(Instant since) throws Declined {
        Map<String, AlpacaFill> all = new LinkedHashMap<>();
        String from = since.equals(Instant.EPOCH) ? "" : "&after=" + encode(since.toString());
        for (int pages = 1; ; pages++) {
            String path = "/v2/account/activities/FILL?direction=asc&page_size=" + MAX_FILLS_PER_PAGE + from;
            List<AlpacaFill> page = get(path, json -> json.list(AlpacaFill::of));
            int before = all.size();
            page.forEach(fill -> all.putIfAbsent(fill.id(), fill));
            if (page.size() < MAX_FILLS_PER_PAGE) {
                return new FillBatch(List.copyOf(all.values()), true);
            }
            requireNews(all.size() > before, "fills");
            AlpacaFill last = page.get(page.size() - 1);
            boolean isEnough = all.size() >= MAX_FILLS || last.at().isAfter(since.plus(MIN_SPAN));
            if (isEnough && pages % FILL_PAGES == 0) {
                return new FillBatch(List.copyOf(all.values()), false);
            }
            from = "&page_token=" + encode(last.id());
        }
    }

    /** Pages would never end at a broker that gives the same one again. */
    private static void requireNews(boolean isNew, String listed) {
        if (!isNew) {
            throw CustodianFailure.away(
                    "Alpaca's pages of " + listed + " do not end: one repeats what was on earlier ones.");
        }
    }

    /**
     * Places an order unless the broker has it. Asks for its client order id first, and again after every doubt, so that
     * the same order can be passed any number of times, also after a crash: it exists at most once.
     *
     * <p>Between asking and sending, an earlier copy of the order may arrive at the broker. It accepts a client order id
     * only once, so that the later copy is refused; therefore nothing is believed about a refusal before the broker is
     * asked again. What answers to the client order id is the order, however the broker words it.
     *
     * @return the order as it stands at the broker, which may differ from what was placed
     * @throws Declined when it is not there and never will be
     * @throws CustodianFailure when it is not known whether it is there, which another call will tell
     */
    AlpacaOrder place(NewOrder order) throws Declined {
        long began = System.nanoTime();
        AnswerReader<AlpacaOrder> reader = answer(withClientOrderId(order.clientOrderId()));
        BrokerCall<AlpacaOrder> call = new BrokerCall<>("POST", "/v2/orders", body(order), reader);
        for (int attempt = 1; ; attempt++) {
            Optional<AlpacaOrder> found = found(order);
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() - began > MAX_SENDING.toNanos()) {
                throw CustodianFailure.away("Alpaca took too long to answer.");
            }
            try {
                return transport.once(credentials, call);
            } catch (Declined refused) {
                // While an earlier copy may be on its way, the order could still come to be. A later call will know.
                Optional<AlpacaOrder> sent = found(order);
                if (sent.isEmpty()
                        && (attempt > 1 || NAMES_THE_ID.matcher(refused.words()).matches())) {
                    throw CustodianFailure.away("It is not known yet whether Alpaca has the order: " + refused.words());
                }
                return sent.orElseThrow(() -> refused);
            } catch (FailedAttempt failed) {
                Optional<Duration> pause = transport.pause(failed, attempt);
                if (pause.isEmpty()) {
                    return found(order).orElseThrow(failed::away);
                }
                AlpacaTransport.sleep(pause.get());
            }
        }
    }

    private Optional<AlpacaOrder> found(NewOrder order) throws Declined {
        try {
            return orderByClientOrderId(order.clientOrderId());
        } catch (Declined refused) {
            throw CustodianFailure.away("Alpaca does not say whether it has the order: " + refused.words());
        }
    }

    private static String body(NewOrder order) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("symbol", order.instrument().orderSymbol());
        body.put("qty", order.units().toPlainString());
        body.put("side", order.action().wireName());
        body.put("type", NewOrder.TYPE);
        body.put("limit_price", order.bound().toPlainString());
        body.put("time_in_force", order.instrument().type() == AssetType.CRYPTO ? "gtc" : "day");
        body.put("client_order_id", order.clientOrderId());
        return body.toString();
    }

    /**
     * Asks the broker to cancel an order. An order that is over already stays as it is.
     *
     * @param orderId given by the broker
     * @return the order as it stands afterwards; it may be open for a while, and may still be filled
     */
    AlpacaOrder cancel(String orderId) throws Declined {
        AnswerReader<String> reader = (status, body) ->
                isSuccess(status) || status == UNPROCESSABLE ? Optional.of(orderId) : Optional.empty();
        transport.repeat(credentials, new BrokerCall<>("DELETE", "/v2/orders/" + encode(orderId), null, reader));
        return order(orderId).orElseThrow(() -> new Declined(NOT_FOUND, "There is no order " + orderId + "."));
    }

    private <T> T get(String path, Shape<T> shape) throws Declined {
        return transport.repeat(credentials, new BrokerCall<>("GET", path, null, answer(shape)));
    }

    private <T> Optional<T> find(String path, Shape<T> shape) throws Declined {
        AnswerReader<T> found = answer(shape);
        AnswerReader<Optional<T>> reader = (status, body) -> {
            if (status == NOT_FOUND && AlpacaJson.message(body).isPresent()) {
                return Optional.of(Optional.empty());
            }
            Optional<T> answer = found.read(status, body);
            return answer.isPresent() ? Optional.of(answer) : Optional.empty();
        };
        return transport.repeat(credentials, new BrokerCall<>("GET", path, null, reader));
    }

    private static <T> AnswerReader<T> answer(Shape<T> shape) {
        return (status, body) -> isSuccess(status) ? Optional.of(shape.read(AlpacaJson.of(body))) : Optional.empty();
    }

    private static boolean isSuccess(int status) {
        return status >= OK && status < MULTIPLE_CHOICES;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
