package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Puts answers on the wire. */
final class Reply {
    private static final String JSON = "application/json";

    private Reply() {}

    static void object(Context ctx, int status, Consumer<JsonWriter> body) {
        bytes(ctx, status, JsonWriter.object(body));
    }

    static <T> void array(Context ctx, Iterable<T> items, BiConsumer<JsonWriter, T> each) {
        bytes(ctx, 200, JsonWriter.array(items, each));
    }

    static void bytes(Context ctx, int status, byte[] json) {
        ctx.status(status).contentType(JSON).result(json);
        ctx.res().setContentLength(json.length);
    }

    /**
     * Answers when a use case is done, without a thread waiting for it. The answer is written by a thread of the
     * server, so that a client which reads slowly holds up nobody but itself.
     */
    static <T> void later(Context ctx, CompletionStage<T> stage, Consumer<T> answer) {
        ctx.future(() -> answered(ctx, stage, answer));
    }

    /** Goes on with what was given, or with the refusal. */
    static <T> void either(Answer<T> answer, Consumer<? super T> given, Consumer<Refusal> refused) {
        answer.<Runnable>fold(value -> () -> given.accept(value), refusal -> () -> refused.accept(refusal))
                .run();
    }

    /** Goes on with what was read, or with everything that is wrong with it. */
    static <T> void either(Reading<T> reading, Consumer<? super T> read, Consumer<ErrorAnswer> wrong) {
        reading.<Runnable>fold(
                        value -> () -> read.accept(value),
                        problems -> () -> wrong.accept(ErrorAnswer.invalid(problems)))
                .run();
    }

    private static <T> CompletableFuture<Void> answered(Context ctx, CompletionStage<T> stage, Consumer<T> answer) {
        return stage.thenAcceptAsync(
                        Trace.answer(ctx, answer),
                        task -> ctx.req().getAsyncContext().start(task))
                .toCompletableFuture();
    }
}
