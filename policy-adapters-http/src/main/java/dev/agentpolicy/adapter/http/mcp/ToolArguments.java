package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.request.IdempotencyKey;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a tool, as they were sent.
 *
 * @param json the JSON object
 * @param types the JSON type of each argument that the tool takes, by name
 * @param isQuery whether REST takes them as parameters of a query, not as a body
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record ToolArguments(byte[] json, Map<String, String> types, boolean isQuery) {
    /** What REST takes as a header. */
    static final String IDEMPOTENCY_KEY = "idempotencyKey";

    private static final String EMPTY = "{}";
    private static final int MAX_DIGITS = 20;
    private static final Pattern KEY = Pattern.compile("[ -~]{1," + IdempotencyKey.MAX_LENGTH + "}");

    /** No arguments, where none are looked at. */
    static ToolArguments none() {
        return new ToolArguments(EMPTY.getBytes(StandardCharsets.UTF_8), Map.of(), false);
    }

    /** The arguments of a call of a tool; none, if null was sent. */
    static ToolArguments of(@Nullable String json, McpTool tool) {
        return new ToolArguments(
                (json == null ? EMPTY : json).getBytes(StandardCharsets.UTF_8), tool.types(), tool.isQuery());
    }

    /** The body that REST would have: the arguments without those that REST takes elsewhere. */
    Document withoutOwn(Document sent) {
        if (!types.containsKey(IDEMPOTENCY_KEY) || !sent.members().containsKey(IDEMPOTENCY_KEY)) {
            return sent;
        }
        Map<String, @Nullable Object> others = new LinkedHashMap<>(sent.members());
        others.remove(IDEMPOTENCY_KEY);
        return new Document(others, sent.repeated());
    }

    /** The idempotency key; null if there is none, or if the arguments cannot be read, which their reader reports. */
    @Nullable
    String idempotencyKey() {
        Object key =
                JsonReader.read(json).<@Nullable Object>fold(sent -> sent.get(IDEMPOTENCY_KEY), unreadable -> null);
        if (key == null) {
            return null;
        }
        if (key instanceof String text && KEY.matcher(text).matches()) {
            return text;
        }
        throw RejectedRequest.parameter(IDEMPOTENCY_KEY, "must be a string of 1 to 128 characters of ASCII");
    }

    /**
     * The arguments by name, as the texts that a query string would have.
     *
     * @throws RejectedRequest if the tool has no such argument, or if it is of another type
     */
    Map<String, String> texts() {
        Document sent = document();
        Map<String, String> texts = new LinkedHashMap<>();
        sent.members().forEach((name, value) -> {
            String type = types.get(name);
            if (type == null) {
                throw RejectedRequest.parameter("arguments", "must be " + expected());
            }
            if (value != null) {
                texts.put(name, text(name, type, value));
            }
        });
        if (!sent.repeated().isEmpty()) {
            throw RejectedRequest.parameter(sent.repeated().iterator().next(), "must not be repeated");
        }
        return texts;
    }

    private String expected() {
        return types.isEmpty()
                ? "empty: this tool takes none"
                : "among " + String.join(", ", List.copyOf(types.keySet()));
    }

    private static String text(String name, String type, Object value) {
        boolean isOfType = switch (type) {
            case "integer" -> value instanceof BigDecimal;
            case "boolean" -> value instanceof Boolean;
            default -> value instanceof String;
        };
        if (!isOfType) {
            throw RejectedRequest.parameter(name, "must be of type " + type);
        }
        return value instanceof BigDecimal number ? integer(name, number) : value.toString();
    }

    /** Huge exponents are not written out. */
    private static String integer(String name, BigDecimal number) {
        if (number.precision() - number.scale() > MAX_DIGITS || number.scale() > MAX_DIGITS) {
            throw RejectedRequest.parameter(name, "is out of range");
        }
        return number.stripTrailingZeros().toPlainString();
    }

    private Document document() {
        return JsonReader.read(json).fold(sent -> sent, problems -> {
            throw RejectedRequest.parameter(
                    "arguments", "cannot be read: " + problems.get(0).message());
        });
    }
}
