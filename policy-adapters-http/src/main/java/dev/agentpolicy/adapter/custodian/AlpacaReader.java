package dev.agentpolicy.adapter.custodian;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Reads the JSON of Alpaca. Members that are not needed are ignored, so that the broker may add some; a needed member
 * that is missing or has another form makes the answer malformed. A number must be a plain decimal of ASCII digits within
 * the bounds of what an account can have (docs/reference/custodians.md, Sync).
 */
final class AlpacaReader {
    private static final int MAX_NESTING = 32;
    private static final int MAX_DIGITS = 40;
    private static final int MAX_TEXT = 256;
    private static final int MAX_MESSAGE = 300;
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
    private static final Pattern ID = Pattern.compile("[!-~]{1,128}");
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}\\uFFFE\\uFFFF]");
    /** Later times cannot be stored. */
    private static final Instant LAST_TIME = Instant.parse("9999-12-31T00:00:00Z");

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING)
                            .maxNumberLength(MAX_TEXT)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Without assets whose symbols the service has no form for, such as those of escrows. */
    static final Shape<List<AlpacaAsset>> ASSETS = listOf(
            AlpacaReader::asset, node -> AssetSymbol.of(node.path("symbol").asText()) != null);

    /** Without orders of several options at once: each of their legs is listed as an order, too. */
    static final Shape<List<AlpacaOrder>> ORDERS = listOf(
            AlpacaReader::order,
            node -> !node.path("order_class").asText().equals("mleg")
                    || !node.path("symbol").asText().isEmpty());

    private AlpacaReader() {}

    /** Reads one kind of answer. */
    @FunctionalInterface
    interface Shape<T> {
        T read(JsonNode node) throws MalformedAnswer;
    }

    static JsonNode json(byte[] body) throws MalformedAnswer {
        try {
            JsonNode node = JSON.readTree(body);
            if (node == null || node.isMissingNode()) {
                throw new MalformedAnswer("content");
            }
            return node;
        } catch (IOException notJson) {
            throw new MalformedAnswer("JSON");
        }
    }

    static AlpacaAccount account(JsonNode node) throws MalformedAnswer {
        return new AlpacaAccount(
                text(node, "id"),
                text(node, "status"),
                text(node, "currency"),
                usd(node, "cash"),
                usd(node, "equity"),
                flag(node, "trading_blocked")
                        || flag(node, "account_blocked")
                        || flag(node, "trade_suspended_by_user"));
    }

    static AlpacaPosition position(JsonNode node) throws MalformedAnswer {
        boolean isShort = text(node, "side").equals("short");
        BigDecimal quantity = signed(required(units(node, "qty"), "qty"), isShort);
        Instrument instrument = AlpacaSymbols.instrument(text(node, "symbol"), text(node, "asset_class"));
        return new AlpacaPosition(
                instrument,
                quantity,
                signed(units(node, "qty_available").orElse(quantity), isShort),
                price(node, "current_price").map(AlpacaSymbols.units(instrument)::multiply),
                decimal(node, "market_value", HoldingsDocument.MAX_USD).map(value -> signed(value, isShort)));
    }

    static AlpacaAsset asset(JsonNode node) throws MalformedAnswer {
        String symbol = text(node, "symbol");
        return new AlpacaAsset(
                AlpacaSymbols.instrument(symbol, text(node, "class")),
                symbol,
                node.path("name").asText(),
                flag(node, "tradable"),
                flag(node, "fractionable"));
    }

    /** An order that was asked for by its client order id; any other one is not an answer. */
    static Shape<AlpacaOrder> orderWithClientId(String clientOrderId) {
        return expected(order -> order.clientOrderId().equals(clientOrderId), "client_order_id");
    }

    /** An order that was asked for by the broker's id; any other one is not an answer. */
    static Shape<AlpacaOrder> orderWithId(String orderId) {
        return expected(order -> order.id().equals(orderId), "id");
    }

    private static Shape<AlpacaOrder> expected(Predicate<AlpacaOrder> isExpected, String member) {
        return node -> {
            AlpacaOrder order = order(node);
            if (!isExpected.test(order)) {
                throw new MalformedAnswer(member);
            }
            return order;
        };
    }

    static AlpacaOrder order(JsonNode node) throws MalformedAnswer {
        BigDecimal filled = notNegative(required(units(node, "filled_qty"), "filled_qty"), "filled_qty");
        Optional<BigDecimal> stop = price(node, "stop_price");
        Instant submittedAt = instant(node, node.path("submitted_at").isNull() ? "created_at" : "submitted_at");
        return new AlpacaOrder(
                id(node, "id"),
                text(node, "client_order_id"),
                AlpacaSymbols.instrument(text(node, "symbol"), text(node, "asset_class")),
                action(node),
                node.path("type").isTextual() ? printable(node.path("type").textValue()) : "",
                AlpacaOrderState.of(text(node, "status"), filled.signum() > 0),
                positive(decimal(node, "notional", HoldingsDocument.MAX_USD), "notional"),
                positive(units(node, "qty"), "qty"),
                filled,
                price(node, "filled_avg_price"),
                price(node, "limit_price").or(() -> stop),
                submittedAt,
                node.path("updated_at").isTextual() ? instant(node, "updated_at") : submittedAt);
    }

    static AlpacaFill fill(JsonNode node) throws MalformedAnswer {
        return new AlpacaFill(
                id(node, "id"),
                id(node, "order_id"),
                text(node, "symbol"),
                AlpacaSymbols.instrument(text(node, "symbol")),
                action(node),
                required(positive(units(node, "qty"), "qty"), "qty"),
                required(price(node, "price"), "price"),
                instant(node, "transaction_time"));
    }

    static AlpacaClock clock(JsonNode node) throws MalformedAnswer {
        return new AlpacaClock(
                instant(node, "timestamp"),
                flag(node, "is_open"),
                instant(node, "next_open"),
                instant(node, "next_close"));
    }

    static <T> Shape<List<T>> listOf(Shape<T> item) {
        return listOf(item, node -> true);
    }

    private static <T> Shape<List<T>> listOf(Shape<T> item, Predicate<JsonNode> isWanted) {
        return node -> {
            if (!node.isArray()) {
                throw new MalformedAnswer("list");
            }
            List<T> items = new ArrayList<>(node.size());
            for (JsonNode each : node) {
                if (isWanted.test(each)) {
                    items.add(item.read(each));
                }
            }
            return items;
        };
    }

    /** The message of a refusal, if the answer is one of the broker's. */
    static Optional<String> message(byte[] body) {
        try {
            JsonNode message = json(body).path("message");
            return message.isTextual() && !message.textValue().isEmpty()
                    ? Optional.of(message.textValue())
                    : Optional.empty();
        } catch (MalformedAnswer notTheBroker) {
            return Optional.empty();
        }
    }

    /** The beginning of a text in which everything that cannot be stored or shown is a blank. */
    static String printable(String text) {
        return UNPRINTABLE
                .matcher(text.substring(0, Math.min(text.length(), MAX_MESSAGE)))
                .replaceAll(" ");
    }

    private static Action action(JsonNode node) throws MalformedAnswer {
        return switch (text(node, "side")) {
            case "buy" -> Action.BUY;
            case "sell", "sell_short" -> Action.SELL;
            default -> throw new MalformedAnswer("side");
        };
    }

    private static BigDecimal signed(BigDecimal value, boolean isNegative) {
        return isNegative ? value.abs().negate() : value;
    }

    private static String text(JsonNode node, String member) throws MalformedAnswer {
        JsonNode value = node.path(member);
        String text = value.isTextual() ? value.textValue() : "";
        if (text.isEmpty()
                || text.length() > MAX_TEXT
                || UNPRINTABLE.matcher(text).find()) {
            throw new MalformedAnswer(member);
        }
        return text;
    }

    private static String id(JsonNode node, String member) throws MalformedAnswer {
        String id = text(node, member);
        if (!ID.matcher(id).matches()) {
            throw new MalformedAnswer(member);
        }
        return id;
    }

    private static boolean flag(JsonNode node, String member) throws MalformedAnswer {
        JsonNode value = node.path(member);
        if (!value.isBoolean()) {
            throw new MalformedAnswer(member);
        }
        return value.booleanValue();
    }

    private static BigDecimal usd(JsonNode node, String member) throws MalformedAnswer {
        return required(decimal(node, member, HoldingsDocument.MAX_USD), member);
    }

    private static Optional<BigDecimal> price(JsonNode node, String member) throws MalformedAnswer {
        return positive(decimal(node, member, HoldingsDocument.MAX_USD), member);
    }

    private static Optional<BigDecimal> units(JsonNode node, String member) throws MalformedAnswer {
        return decimal(node, member, HoldingsDocument.MAX_QUANTITY);
    }

    private static BigDecimal required(Optional<BigDecimal> number, String member) throws MalformedAnswer {
        return number.orElseThrow(() -> new MalformedAnswer(member));
    }

    private static BigDecimal notNegative(BigDecimal number, String member) throws MalformedAnswer {
        if (number.signum() < 0) {
            throw new MalformedAnswer(member);
        }
        return number;
    }

    private static Optional<BigDecimal> positive(Optional<BigDecimal> number, String member) throws MalformedAnswer {
        if (number.isPresent() && number.get().signum() <= 0) {
            throw new MalformedAnswer(member);
        }
        return number;
    }

    /**
     * Alpaca sends decimals as text, and some as numbers. Empty for null and for an absent member.
     *
     * @param max the largest absolute value
     */
    private static Optional<BigDecimal> decimal(JsonNode node, String member, BigDecimal max) throws MalformedAnswer {
        JsonNode value = node.path(member);
        if (value.isNull() || value.isMissingNode()) {
            return Optional.empty();
        }
        String digits =
                value.isTextual() || value.isNumber() && value.decimalValue().scale() < 0
                        ? value.asText()
                        : value.isNumber() ? value.decimalValue().toPlainString() : "";
        if (digits.length() > MAX_DIGITS || !DECIMAL.matcher(digits).matches()) {
            throw new MalformedAnswer(member);
        }
        BigDecimal number = new BigDecimal(digits);
        if (number.abs().compareTo(max) > 0) {
            throw new MalformedAnswer(member);
        }
        return Optional.of(number);
    }

    private static Instant instant(JsonNode node, String member) throws MalformedAnswer {
        try {
            Instant time = OffsetDateTime.parse(text(node, member)).toInstant();
            if (time.isBefore(Instant.EPOCH) || time.isAfter(LAST_TIME)) {
                throw new MalformedAnswer(member);
            }
            return time;
        } catch (DateTimeException notATime) {
            throw new MalformedAnswer(member);
        }
    }
}
