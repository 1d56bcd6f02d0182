package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.agent.CallForm;
import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.ResponseHeaders;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The form of a tool or resource: the input is the arguments of the tool, and the answer is a result of the protocol.
 * Invalid arguments are a result too, with the error that REST sends, so that the model reads what it has to correct.
 * Every other refusal is an HTTP response as in REST, which clients and proxies understand.
 */
final class ToolForm implements CallForm {
    private static final int BAD_REQUEST = 400;

    private final ToolArguments arguments;
    private final CompletableFuture<Content> content = new CompletableFuture<>();

    ToolForm(ToolArguments arguments) {
        this.arguments = arguments;
    }

    /**
     * What the operation said.
     *
     * @param json the JSON text that REST answers
     * @param isError whether the arguments were refused
     */
    record Content(String json, boolean isError) {}

    /** Completes with the content of the result, on the thread that answers. Never, if an HTTP error was sent instead. */
    CompletableFuture<Content> content() {
        return content;
    }

    /** Refuses arguments that the operation would not look at. */
    void requireArguments() {
        if (arguments.isQuery()) {
            arguments.texts();
        }
    }

    @Override
    public <T> void read(
            Context ctx,
            Function<Document, Reading<T>> parser,
            Consumer<? super T> success,
            Consumer<ErrorResponse> failure) {
        Reply.either(
                JsonReader.read(arguments.json())
                        .fold(sent -> parser.apply(arguments.withoutOwn(sent)), Reading::wrong),
                success,
                failure);
    }

    @Override
    public void bytes(Context ctx, Consumer<byte[]> work) {
        work.accept(arguments.json());
    }

    @Override
    public Query query(Context ctx) {
        return Query.of(arguments.texts());
    }

    @Override
    public @Nullable String idempotencyKey(Context ctx) {
        return arguments.idempotencyKey();
    }

    @Override
    public boolean isRevalidated() {
        return false;
    }

    @Override
    public void answer(Context ctx, byte[] json) {
        content.complete(new Content(new String(json, StandardCharsets.UTF_8), false));
    }

    @Override
    public void refuse(Context ctx, ErrorResponse answer) {
        if (answer.code().status() == BAD_REQUEST) {
            byte[] json = JsonWriter.object(out -> answer.write(out, ResponseHeaders.requestId(ctx.res())));
            content.complete(new Content(new String(json, StandardCharsets.UTF_8), true));
        } else {
            answer.send(ctx);
        }
    }
}
