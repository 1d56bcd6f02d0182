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
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the JSON of Alpaca. Members that are not needed are ignored, so that the broker may add some; a needed member
 * that is missing or has another form makes the answer malformed. A number must be a plain decimal of ASCII digits within
 * the bounds of what an account can have (docs/reference/custodians.md, Sync).
 */
record AlpacaJson(JsonNode node) {
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

    /** Reads one kind of answer. */
    @FunctionalInterface
    interface Shape<T> {
        T read(AlpacaJson json) throws FailedAttempt;
    }

    static AlpacaJson of(byte[] body) throws FailedAttempt {
        try {
            JsonNode node = JSON.readTree(body);
            if (node == null || node.isMissingNode()) {
                throw FailedAttempt.malformed("content");
            }
            return new AlpacaJson(node);
        } catch (IOException notJson) {
            throw FailedAttempt.malformed("JSON");
        }
    }

    <T> List<T> list(Shape<T> item) throws FailedAttempt {
        if (!node.isArray()) {
            throw FailedAttempt.malformed("list");
        }
        List<T> items = new ArrayList<>(node.size());
        for (JsonNode each : node) {
            items.add(item.read(new AlpacaJson(each)));
        }
        return items;
    }

    /** The message of a refusal, if the answer is one of the broker's. */
    static Optional<String> message(byte[] body) {
        try {
            JsonNode message = of(body).node.path("message");
            return message.isTextual() && !message.textValue().isEmpty()
                    ? Optional.of(message.textValue())
                    : Optional.empty();
        } catch (FailedAttempt notTheBroker) {
            return Optional.empty();
        }
    }

    /** The beginning of a text in which everything that cannot be stored or shown is a blank. */
    static String printable(String text) {
        return UNPRINTABLE
                .matcher(text.substring(0, Math.min(text.length(), MAX_MESSAGE)))
                .replaceAll(" ");
    }

    Action side() throws FailedAttempt {
        return switch (text("side")) {
            case "buy" -> Action.BUY;
            case "sell", "sell_short" -> Action.SELL;
            default -> throw FailedAttempt.malformed("side");
        };
    }

    String text(String member) throws FailedAttempt {
        JsonNode value = node.path(member);
        String text = value.isTextual() ? value.textValue() : "";
        if (text.isEmpty()
                || text.length() > MAX_TEXT
                || UNPRINTABLE.matcher(text).find()) {
            throw FailedAttempt.malformed(member);
        }
        return text;
    }

    /** An object that must be there. */
    AlpacaJson member(String name) throws FailedAttempt {
        return existing(name).orElseThrow(() -> FailedAttempt.malformed(name));
    }

    /** An object; empty when there is none. */
    Optional<AlpacaJson> existing(String name) {
        JsonNode value = node.path(name);
        return value.isObject() ? Optional.of(new AlpacaJson(value)) : Optional.empty();
    }

    String id(String member) throws FailedAttempt {
        String id = text(member);
        if (!ID.matcher(id).matches()) {
            throw FailedAttempt.malformed(member);
        }
        return id;
    }

    boolean flag(String member) throws FailedAttempt {
        JsonNode value = node.path(member);
        if (!value.isBoolean()) {
            throw FailedAttempt.malformed(member);
        }
        return value.booleanValue();
    }

    Optional<BigDecimal> usd(String member) throws FailedAttempt {
        return decimal(member, HoldingsDocument.MAX_USD);
    }

    Optional<BigDecimal> positiveUsd(String member) throws FailedAttempt {
        return positive(usd(member), member);
    }

    Optional<BigDecimal> units(String member) throws FailedAttempt {
        return decimal(member, HoldingsDocument.MAX_QUANTITY);
    }

    Optional<BigDecimal> positiveUnits(String member) throws FailedAttempt {
        return positive(units(member), member);
    }

    BigDecimal required(Optional<BigDecimal> number, String member) throws FailedAttempt {
        return number.orElseThrow(() -> FailedAttempt.malformed(member));
    }

    private static Optional<BigDecimal> positive(Optional<BigDecimal> number, String member) throws FailedAttempt {
        if (number.isPresent() && number.get().signum() <= 0) {
            throw FailedAttempt.malformed(member);
        }
        return number;
    }

    /**
     * Alpaca sends decimals as text, and some as numbers. Empty for null and for an absent member.
     *
     * @param max the largest absolute value
     */
    private Optional<BigDecimal> decimal(String member, BigDecimal max) throws FailedAttempt {
        JsonNode value = node.path(member);
        if (value.isNull() || value.isMissingNode()) {
            return Optional.empty();
        }
        String digits =
                value.isTextual() || value.isNumber() && value.decimalValue().scale() < 0
                        ? value.asText()
                        : value.isNumber() ? value.decimalValue().toPlainString() : "";
        if (digits.length() > MAX_DIGITS || !DECIMAL.matcher(digits).matches()) {
            throw FailedAttempt.malformed(member);
        }
        BigDecimal number = new BigDecimal(digits);
        if (number.abs().compareTo(max) > 0) {
            throw FailedAttempt.malformed(member);
        }
        return Optional.of(number);
    }

    Instant instant(String member) throws FailedAttempt {
        try {
            Instant time = OffsetDateTime.parse(text(member)).toInstant();
            if (time.isBefore(Instant.EPOCH) || time.isAfter(LAST_TIME)) {
                throw FailedAttempt.malformed(member);
            }
            return time;
        } catch (DateTimeException notATime) {
            throw FailedAttempt.malformed(member);
        }
    }
}
