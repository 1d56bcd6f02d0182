package dev.agentpolicy.adapter.custodian;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

/**
 * Reads the JSON of Alpaca. Members that are not needed are ignored, so that the broker may add some; a needed member
 * that is missing or has another form makes the answer malformed.
 */
final class AlpacaReader {
    private static final int MAX_NESTING = 32;
    private static final int MAX_DIGITS = 64;
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING)
                            .maxNumberLength(MAX_DIGITS)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
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
                decimal(node, "cash"),
                decimal(node, "equity"),
                flag(node, "trading_blocked")
                        || flag(node, "account_blocked")
                        || flag(node, "trade_suspended_by_user"));
    }

    static AlpacaPosition position(JsonNode node) throws MalformedAnswer {
        boolean isShort = text(node, "side").equals("short");
        BigDecimal quantity = signed(decimal(node, "qty"), isShort);
        Instrument instrument = AlpacaSymbols.instrument(text(node, "symbol"), text(node, "asset_class"));
        return new AlpacaPosition(
                instrument,
                quantity,
                signed(optionalDecimal(node, "qty_available").orElse(quantity), isShort),
                optionalDecimal(node, "current_price").map(AlpacaSymbols.units(instrument)::multiply),
                optionalDecimal(node, "market_value").map(value -> signed(value, isShort)));
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

    static AlpacaOrder order(JsonNode node) throws MalformedAnswer {
        BigDecimal filled = decimal(node, "filled_qty");
        Optional<BigDecimal> stop = optionalDecimal(node, "stop_price");
        Instant submittedAt = instant(node, node.path("submitted_at").isNull() ? "created_at" : "submitted_at");
        return new AlpacaOrder(
                text(node, "id"),
                text(node, "client_order_id"),
                AlpacaSymbols.instrument(text(node, "symbol"), text(node, "asset_class")),
                action(node),
                AlpacaOrderState.of(text(node, "status"), filled.signum() > 0),
                optionalDecimal(node, "notional"),
                optionalDecimal(node, "qty"),
                filled,
                optionalDecimal(node, "filled_avg_price"),
                optionalDecimal(node, "limit_price").or(() -> stop),
                submittedAt,
                node.path("updated_at").isTextual() ? instant(node, "updated_at") : submittedAt);
    }

    static AlpacaFill fill(JsonNode node) throws MalformedAnswer {
        return new AlpacaFill(
                text(node, "id"),
                text(node, "order_id"),
                AlpacaSymbols.instrument(text(node, "symbol")),
                action(node),
                decimal(node, "qty"),
                decimal(node, "price"),
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
            return Optional.of(text(json(body), "message"));
        } catch (MalformedAnswer notTheBroker) {
            return Optional.empty();
        }
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
        if (!value.isTextual() || value.textValue().isEmpty()) {
            throw new MalformedAnswer(member);
        }
        return value.textValue();
    }

    private static boolean flag(JsonNode node, String member) throws MalformedAnswer {
        JsonNode value = node.path(member);
        if (!value.isBoolean()) {
            throw new MalformedAnswer(member);
        }
        return value.booleanValue();
    }

    private static BigDecimal decimal(JsonNode node, String member) throws MalformedAnswer {
        return optionalDecimal(node, member).orElseThrow(() -> new MalformedAnswer(member));
    }

    /** Alpaca sends decimals as text, and some as numbers. Empty for null and for an absent member. */
    private static Optional<BigDecimal> optionalDecimal(JsonNode node, String member) throws MalformedAnswer {
        JsonNode value = node.path(member);
        if (value.isNull() || value.isMissingNode()) {
            return Optional.empty();
        }
        String digits = value.isTextual() || value.isNumber() ? value.asText() : "";
        try {
            BigDecimal number = new BigDecimal(digits);
            if (digits.length() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS) {
                throw new MalformedAnswer(member);
            }
            return Optional.of(number);
        } catch (NumberFormatException notANumber) {
            throw new MalformedAnswer(member);
        }
    }

    private static Instant instant(JsonNode node, String member) throws MalformedAnswer {
        try {
            return OffsetDateTime.parse(text(node, member)).toInstant();
        } catch (DateTimeException notATime) {
            throw new MalformedAnswer(member);
        }
    }
}
