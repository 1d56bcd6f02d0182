package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts answers on the wire. */
public final class Reply {
    private static final Logger LOG = LoggerFactory.getLogger(Reply.class);
    private static final String JSON = "application/json";
    private static final String GIVEN_UP = "given-up";

    /** What the server copies instead of sending it while the writer waits: as much as its buffer takes. */
    public static final int BUFFERED = 32 * 1024;

    /** From here on, the router may have an answer of its own in hand, and would send both. */
    private static final int REFUSALS = 400;

    private Reply() {}

    public static void object(Context ctx, int status, Consumer<JsonWriter> body) {
        bytes(ctx, status, JsonWriter.object(body));
    }

    public static void bytes(Context ctx, int status, byte[] json) {
        ctx.status(status).contentType(JSON);
        if (status < REFUSALS && json.length <= BUFFERED && ctx.req().isAsyncStarted()) {
            buffered(ctx, json);
        } else {
            ctx.result(json);
            ctx.res().setContentLength(json.length);
        }
    }

    /**
     * Sends bytes of any length at once, in one piece; for threads that may wait for the client. The router would cut them into
     * many.
     */
    public static void large(Context ctx, byte[] json) {
        ctx.status(200).contentType(JSON);
        ctx.res().setContentLength(json.length);
        try {
            ctx.res().getOutputStream().write(json);
        } catch (IOException gone) {
            LOG.debug("The caller of {} is gone.", ResponseHeaders.requestId(ctx.res()), gone);
        }
    }

    /** Leaves the bytes to the server, which sends them, with their length, when the call is completed. */
    private static void buffered(Context ctx, byte[] json) {
        try {
            ctx.res().resetBuffer();
            ctx.res().getOutputStream().write(json);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Goes on at once with what is done already; else, without a thread waiting for it, when it is. */
    public static <T> void when(Context ctx, CompletionStage<T> stage, Consumer<T> work) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (future.isDone()) {
            work.accept(future.join());
        } else {
            later(ctx, future, work);
        }
    }

    /**
     * Answers when a use case is done, without a thread waiting for it. The answer is written by a thread of the
     * server, so that a client which reads slowly holds up nobody but itself.
     */
    public static <T> void later(Context ctx, CompletionStage<T> stage, Consumer<T> answer) {
        ctx.future(() -> stage.thenAcceptAsync(
                        inTime(ctx, answer), task -> ctx.req().getAsyncContext().start(task))
                .toCompletableFuture());
    }

    /**
     * The same for a short answer, on the thread that is done with the use case: what fits the buffer of the server is
     * sent without waiting for the client, and changing threads is among the largest costs of a call.
     */
    public static <T> void soon(Context ctx, CompletionStage<T> stage, Consumer<T> answer) {
        ctx.future(() -> stage.thenAccept(inTime(ctx, answer)).toCompletableFuture());
    }

    /** The same, and goes on in another way when it failed. */
    public static <T> void soon(
            Context ctx, CompletionStage<T> stage, Consumer<T> answer, Consumer<CompletionException> failed) {
        CompletionStage<Runnable> next = stage.handle((value, failure) ->
                failure == null ? () -> answer.accept(value) : () -> failed.accept(new CompletionException(failure)));
        soon(ctx, next, Runnable::run);
    }

    /** Says that a call has waited for too long and is answered so; what comes after that is too late. */
    public static void giveUp(Context ctx) {
        RequestDispatch.regain(ctx);
        ctx.attribute(GIVEN_UP, true);
    }

    /** Whether a call is answered already, and whatever it led to may still be under way. */
    static boolean isGivenUp(Context ctx) {
        return ctx.attribute(GIVEN_UP) != null;
    }

    private static <T> Consumer<T> inTime(Context ctx, Consumer<T> answer) {
        return Trace.answer(ctx, value -> {
            if (!isGivenUp(ctx)) {
                answer.accept(value);
            }
        });
    }

    /** Goes on with what was given, or with the refusal. */
    public static <T> void either(Answer<T> answer, Consumer<? super T> given, Consumer<Refusal> refused) {
        answer.<Runnable>fold(value -> () -> given.accept(value), refusal -> () -> refused.accept(refusal))
                .run();
    }

    /** Goes on with what was read, or with everything that is wrong with it. */
    public static <T> void either(Reading<T> reading, Consumer<? super T> read, Consumer<ErrorAnswer> wrong) {
        reading.<Runnable>fold(
                        value -> () -> read.accept(value),
                        problems -> () -> wrong.accept(ErrorAnswer.invalid(problems)))
                .run();
    }
}
