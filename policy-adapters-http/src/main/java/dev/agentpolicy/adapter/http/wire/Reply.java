package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes answers, now or when a use case has completed. */
public final class Reply {
    private static final Logger LOG = LoggerFactory.getLogger(Reply.class);
    private static final String JSON = "application/json";
    private static final String TIMED_OUT = "timed-out";

    /** The size of the server's output buffer. Writing an answer that fits into it never blocks. */
    public static final int BUFFERED = 32 * 1024;

    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    /** From this status on the router may hold a result of its own, which it would send as well. */
    private static final int FIRST_ERROR = 400;

    private Reply() {}

    public static void object(Context ctx, int status, Consumer<JsonWriter> body) {
        bytes(ctx, status, JsonWriter.object(body));
    }

    /** As {@link #bytes}, and compressed if that is worth it. For people; agents do not wait for it. */
    public static void compressed(Context ctx, byte[] json) {
        bytes(ctx, OK, Gzip.body(ctx, json));
    }

    public static void bytes(Context ctx, int status, byte[] json) {
        ctx.status(status).contentType(JSON);
        if (status < FIRST_ERROR && json.length <= BUFFERED && ctx.req().isAsyncStarted()) {
            buffered(ctx, json);
        } else {
            ctx.result(json);
            ctx.res().setContentLength(json.length);
        }
    }

    /** Writes 200 and bytes of any length in one piece, where the router would cut them into many. May block. */
    public static void blocking(Context ctx, byte[] json) {
        ctx.status(200).contentType(JSON);
        ctx.res().setContentLength(json.length);
        try {
            ctx.res().getOutputStream().write(json);
        } catch (IOException gone) {
            LOG.debug("The client of call {} has disconnected.", ResponseHeaders.requestId(ctx.res()), gone);
        }
    }

    /**
     * Writes 200 and text of any length while it is made, without a limit of time. Blocks. HEAD is answered without it.
     * A failure after the first bytes can only cut the connection, so that the client sees that the text is not
     * complete.
     */
    public static void text(Context ctx, String type, TextBody body) {
        if (ctx.req().isAsyncStarted()) {
            ctx.req().getAsyncContext().setTimeout(0);
        }
        ctx.status(200).contentType(type);
        if (ctx.method().equals(HandlerType.HEAD)) {
            return;
        }
        try {
            Writer out = new BufferedWriter(
                    new OutputStreamWriter(ctx.res().getOutputStream(), StandardCharsets.UTF_8), BUFFERED);
            body.write(out);
            out.flush();
        } catch (IOException | UncheckedIOException gone) {
            LOG.debug("The client of call {} has disconnected.", ResponseHeaders.requestId(ctx.res()), gone);
        } catch (RuntimeException failed) {
            if (!ctx.res().isCommitted()) {
                ctx.res().reset();
                ResponseHeaders.on(ctx);
                throw failed;
            }
            LOG.warn("The answer to call {} was cut off.", ResponseHeaders.requestId(ctx.res()), failed);
            RequestDispatch.cut(ctx);
        }
    }

    /** Writes text to a client. */
    public interface TextBody {
        void write(Writer out) throws IOException;
    }

    /**
     * Writes 304 without a length, for an answer whose body was not made. Sent at once, because the server adds a
     * length of 0 to an empty answer that it sends when the call completes. May block.
     */
    public static void notModified(Context ctx) {
        ctx.status(NOT_MODIFIED);
        try {
            ctx.res().flushBuffer();
        } catch (IOException gone) {
            LOG.debug("The client of call {} has disconnected.", ResponseHeaders.requestId(ctx.res()), gone);
        }
    }

    /** Fills the server's buffer. The server sends it, with its length, when the call completes. */
    private static void buffered(Context ctx, byte[] json) {
        try {
            ctx.res().resetBuffer();
            ctx.res().getOutputStream().write(json);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /**
     * Continues with the result of a stage: now if it is complete, else on a server thread when it is.
     *
     * @see #onServerThread
     */
    public static <T> void whenComplete(Context ctx, CompletionStage<T> stage, Consumer<T> work) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (future.isDone()) {
            work.accept(future.join());
        } else {
            onServerThread(ctx, future, work);
        }
    }

    /**
     * Continues on a server thread when a stage completes; no thread waits until then. The answer may be of any size,
     * since a client that reads slowly holds up only that thread.
     */
    public static <T> void onServerThread(Context ctx, CompletionStage<T> stage, Consumer<T> answer) {
        Executor serverThreads = RequestDispatch.serverThreads(ctx);
        ctx.future(() -> stage.thenAcceptAsync(unlessTimedOut(ctx, answer), serverThreads)
                .toCompletableFuture());
    }

    /** Runs work on a server thread after a while. */
    public static Executor delayed(Context ctx, Duration delay) {
        return CompletableFuture.delayedExecutor(
                delay.toMillis(), TimeUnit.MILLISECONDS, RequestDispatch.serverThreads(ctx));
    }

    /**
     * Continues on the thread that completes a stage, which saves a change of threads. That thread must not block, so the
     * answer must fit into {@link #BUFFERED} bytes; the server sends those without waiting for the client.
     */
    public static <T> void onCompletingThread(Context ctx, CompletionStage<T> stage, Consumer<T> answer) {
        ctx.future(() -> stage.thenAccept(unlessTimedOut(ctx, answer)).toCompletableFuture());
    }

    /** As above, with another continuation for a stage that fails. */
    public static <T> void onCompletingThread(
            Context ctx, CompletionStage<T> stage, Consumer<T> answer, Consumer<CompletionException> failed) {
        CompletionStage<Runnable> next = stage.handle((value, failure) ->
                failure == null ? () -> answer.accept(value) : () -> failed.accept(new CompletionException(failure)));
        onCompletingThread(ctx, next, Runnable::run);
    }

    /** Marks a call as answered because it took too long; results that arrive later are dropped. */
    public static void timeOut(Context ctx) {
        RequestDispatch.allowBlocking(ctx);
        ctx.attribute(TIMED_OUT, true);
    }

    /** Whether a call was answered because it took too long. Its work may still be under way. */
    static boolean isTimedOut(Context ctx) {
        return ctx.attribute(TIMED_OUT) != null;
    }

    private static <T> Consumer<T> unlessTimedOut(Context ctx, Consumer<T> answer) {
        return RequestIdLog.answer(ctx, value -> {
            if (!isTimedOut(ctx)) {
                answer.accept(value);
            }
        });
    }

    /**
     * The value of an answer.
     *
     * @throws RejectedRequest with its refusal
     */
    public static <T> T given(Answer<T> answer) {
        return answer.fold(value -> value, refusal -> {
            throw new RejectedRequest(ErrorResponse.of(refusal));
        });
    }

    /** Continues with the value of an answer, or with its refusal. */
    public static <T> void either(Answer<T> answer, Consumer<? super T> success, Consumer<Refusal> failure) {
        answer.<Runnable>fold(value -> () -> success.accept(value), refusal -> () -> failure.accept(refusal))
                .run();
    }

    /** Continues with the value that was read, or with an error that lists all problems. */
    public static <T> void either(Reading<T> reading, Consumer<? super T> success, Consumer<ErrorResponse> failure) {
        reading.<Runnable>fold(
                        value -> () -> success.accept(value),
                        problems -> () -> failure.accept(ErrorResponse.invalid(problems)))
                .run();
    }
}
