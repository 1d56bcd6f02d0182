package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.agent.CallForm;
import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.ResponseHeaders;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.request.IdempotencyKey;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The form of a tool or resource: the input is the arguments, and the answer is a result of the protocol. Invalid arguments
 * are a result too, with the error that REST sends, so that the model reads what it has to correct. Every other refusal is
 * an HTTP response as in REST, which clients and proxies understand.
 */
final class ToolForm extends CallForm {
    /** What REST takes as a header. */
    static final String IDEMPOTENCY_KEY = "idempotencyKey";

    private static final String EMPTY = "{}";
    private static final int MAX_DIGITS = 20;
    private static final Pattern KEY = Pattern.compile("[ -~]{1," + IdempotencyKey.MAX_LENGTH + "}");

    private final RpcMessage message;
    private final byte[] arguments;
    private final Map<String, String> types;
    private final Result result;

    /**
     * Creates the form of a call.
     *
     * @param arguments the arguments as a JSON object; null for none
     * @param types the JSON type of each argument that the tool takes, by name
     */
    ToolForm(RpcMessage message, @Nullable String arguments, Map<String, String> types, Result result) {
        this.message = message;
        this.arguments = (arguments == null ? EMPTY : arguments).getBytes(StandardCharsets.UTF_8);
        this.types = types;
        this.result = result;
    }

    /** Writes the members of a result. */
    interface Result {
        /**
         * Writes them.
         *
         * @param json the JSON text that REST answers
         * @param isError whether the arguments were refused
         */
        void write(JsonWriter out, String json, boolean isError);
    }

    @Override
    public <T> void read(
            Context ctx,
            Function<Document, Reading<T>> parser,
            Consumer<? super T> success,
            Consumer<ErrorResponse> failure) {
        Reply.either(JsonReader.read(arguments).then(sent -> parser.apply(withoutOwn(sent))), success, failure);
    }

    @Override
    public void bytes(Context ctx, Consumer<byte[]> work) {
        work.accept(arguments);
    }

    @Override
    public Query query(Context ctx) {
        return Query.of(texts());
    }

    /** Refuses arguments that an operation without parameters would not look at. */
    void requireQuery() {
        texts();
    }

    @Override
    public void answer(Context ctx, byte[] json) {
        answer(ctx, json, false);
    }

    @Override
    public void answerText(Context ctx, String name, String text) {
        answer(ctx, JsonWriter.object(out -> out.text(name, text)));
    }

    private void answer(Context ctx, byte[] json, boolean isError) {
        String text = new String(json, StandardCharsets.UTF_8);
        Reply.bytes(ctx, 200, message.result(out -> result.write(out, text, isError)));
    }

    @Override
    public void refuse(Context ctx, ErrorResponse answer) {
        if (answer.code().status() == 400) {
            answer(ctx, JsonWriter.object(out -> answer.write(out, ResponseHeaders.requestId(ctx.res()))), true);
        } else {
            answer.send(ctx);
        }
    }

    /** The body that REST would have: the arguments without those that REST takes elsewhere. */
    private Document withoutOwn(Document sent) {
        if (!types.containsKey(IDEMPOTENCY_KEY) || !sent.members().containsKey(IDEMPOTENCY_KEY)) {
            return sent;
        }
        Map<String, @Nullable Object> others = new LinkedHashMap<>(sent.members());
        others.remove(IDEMPOTENCY_KEY);
        return new Document(others, sent.repeated());
    }

    /** Null too if the arguments cannot be read, which their reader reports. */
    @Override
    public @Nullable String idempotencyKey(Context ctx) {
        Object key = JsonReader.read(arguments)
                .<@Nullable Object>fold(sent -> sent.get(IDEMPOTENCY_KEY), unreadable -> null);
        if (key == null) {
            return null;
        }
        if (key instanceof String text && KEY.matcher(text).matches()) {
            return text;
        }
        throw RejectedRequest.parameter(IDEMPOTENCY_KEY, "must be a string of 1 to 128 characters of ASCII");
    }

    /** The arguments by name, as the texts that a query string would have. */
    private Map<String, String> texts() {
        Document sent = JsonReader.read(arguments).fold(it -> it, problems -> {
            throw RejectedRequest.parameter(
                    "arguments", "cannot be read: " + problems.get(0).message());
        });
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
}
