package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Decides which thread does a call. Those that need nothing but this process until they are queued are begun by the thread
 * that read them off their connection, which saves them a change of threads, among the largest costs of a call. It reads
 * for many connections, so whoever may have to wait after all moves on to a thread that may.
 */
public final class RequestDispatch extends Handler.Wrapper {
    private static final String NONE = "no-patience";
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Set<String>> quick;

    /** @param quick paths of calls that are begun at once, by their method */
    public RequestDispatch(Map<String, Set<String>> quick) {
        this.quick = Map.copyOf(quick);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (quick.getOrDefault(request.getMethod(), Set.of())
                .contains(request.getHttpURI().getPath())) {
            request.setAttribute(NONE, true);
            return super.handle(request, response, callback);
        }
        request.getComponents().getExecutor().execute(() -> handleNow(request, response, callback));
        return true;
    }

    private void handleNow(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, ErrorCode.NOT_FOUND.status());
            }
        } catch (Throwable failed) {
            Response.writeError(request, response, callback, failed);
        }
    }

    private static boolean isMissing(Context ctx) {
        return ctx.req().getAttribute(NONE) != null;
    }

    /** Says that the thread of a call may wait from now on. */
    static void regain(Context ctx) {
        ctx.req().removeAttribute(NONE);
    }

    /**
     * Leaves it to a thread that may wait to send the answer, when sending it may wait for the client. Whoever must not
     * wait and does takes part in sending the answer before, which then never comes to its end.
     */
    public static void beforeSending(Context ctx) {
        if (ctx.resultInputStream() != null) {
            run(ctx, () -> {});
        }
    }

    /** Does the rest of a call on a thread that may wait. */
    public static void run(Context ctx, Runnable work) {
        if (isMissing(ctx)) {
            regain(ctx);
            ctx.future(() -> elsewhere(ctx, CompletableFuture.completedFuture(null), work));
        } else {
            work.run();
        }
    }

    /**
     * What a call waits for, to go on with on a thread that may wait: that a stage is done, and then some work.
     *
     * <p>It is not done before the router waits for it. The thread that asks for it, which may have to hurry, would find it
     * done, and go on with the call itself.
     */
    static CompletableFuture<Void> elsewhere(Context ctx, CompletionStage<?> stage, Runnable work) {
        return elsewhere(ctx, stage, work, () -> {});
    }

    /**
     * The same.
     *
     * @param otherwise done instead of the work when the stage fails, or no thread takes the work
     */
    static CompletableFuture<Void> elsewhere(Context ctx, CompletionStage<?> stage, Runnable work, Runnable otherwise) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Runnable task = () -> {
            awaitRouter(done);
            try {
                Trace.run(ctx, work);
            } catch (RuntimeException failed) {
                Failures.answer(failed, ctx);
            }
        };
        stage.thenRunAsync(task, it -> ctx.req().getAsyncContext().start(it)).whenComplete((nothing, failed) -> {
            if (failed == null) {
                done.complete(null);
            } else {
                otherwise.run();
                done.completeExceptionally(failed);
            }
        });
        return done;
    }

    /** Microseconds, as the router does next to nothing before it waits. */
    private static void awaitRouter(CompletableFuture<Void> done) {
        long begun = System.nanoTime();
        while (!done.isDone() && done.getNumberOfDependents() == 0 && System.nanoTime() - begun < LONGEST_NANOS) {
            Thread.yield();
        }
    }
}
