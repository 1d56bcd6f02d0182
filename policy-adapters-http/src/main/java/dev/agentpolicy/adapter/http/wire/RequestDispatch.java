package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * Decides on which thread a call runs. This is the only file of the package that knows Jetty, and the only one that relies
 * on how Jetty and the router hand a request from thread to thread.
 *
 * <p>There are two kinds of threads. An I/O thread reads requests off many connections and must never block. Calls that
 * need only memory until they are queued start on it, because a change of threads is among the largest costs of a call.
 * A server thread may block: a virtual thread where the JDK has them, a platform thread otherwise. All other calls run
 * there, and so does every part of a call that reads the database or writes a large answer.
 */
public final class RequestDispatch extends Handler.Wrapper {
    private static final String NON_BLOCKING = "non-blocking";
    private static final String SERVER_THREADS = "server-threads";
    private static final int MIN_THREADS = 8;

    private final Map<String, Set<String>> nonBlocking;

    /** @param nonBlocking paths of the calls that start on the I/O thread, by method */
    public RequestDispatch(Map<String, Set<String>> nonBlocking) {
        this.nonBlocking = Map.copyOf(nonBlocking);
    }

    /**
     * The threads of a server.
     *
     * @param max how many calls may block at the same time, whether their threads are virtual or not
     */
    public static ThreadPool threads(int max) {
        QueuedThreadPool platform = new QueuedThreadPool(max, MIN_THREADS);
        platform.setName("http");
        if (VirtualThreads.areSupported()) {
            VirtualThreadPool virtual = new VirtualThreadPool(max);
            virtual.setName("http-virtual");
            platform.setVirtualThreadsExecutor(virtual);
            platform.addBean(virtual);
        }
        return platform;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Executor serverThreads = request.getComponents().getExecutor();
        request.setAttribute(SERVER_THREADS, serverThreads);
        if (nonBlocking
                .getOrDefault(request.getMethod(), Set.of())
                .contains(request.getHttpURI().getPath())) {
            request.setAttribute(NON_BLOCKING, true);
            return super.handle(request, response, callback);
        }
        serverThreads.execute(() -> handleBlocking(request, response, callback));
        return true;
    }

    private void handleBlocking(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, ErrorCode.NOT_FOUND.status());
            }
        } catch (Throwable failed) {
            Response.writeError(request, response, callback, failed);
        }
    }

    /** Declares that the current thread of a call may block from now on. */
    static void allowBlocking(Context ctx) {
        ctx.req().removeAttribute(NON_BLOCKING);
    }

    /**
     * Moves to a server thread before an answer is sent, if sending it may block. An I/O thread that blocks here could wait
     * for itself, since the same thread also flushes the bytes sent before.
     */
    public static void beforeSending(Context ctx) {
        if (ctx.resultInputStream() != null) {
            blocking(ctx, () -> {});
        }
    }

    /** Runs the rest of a call on a thread that may block: on this one if it may, else on a server thread. */
    public static void blocking(Context ctx, Runnable work) {
        if (ctx.req().getAttribute(NON_BLOCKING) == null) {
            work.run();
        } else {
            allowBlocking(ctx);
            ctx.future(() -> onServerThread(ctx, CompletableFuture.completedFuture(null), work));
        }
    }

    /** The server threads, for a call that has reached the router. */
    static Executor serverThreads(Context ctx) {
        return (Executor) ctx.req().getAttribute(SERVER_THREADS);
    }

    /**
     * Runs the rest of a call on a server thread once a stage is complete; no thread waits until then. The router continues
     * with the call on a server thread too, and never on the thread that attaches to the result, which may be an I/O thread.
     */
    static CompletableFuture<Void> onServerThread(Context ctx, CompletionStage<?> stage, Runnable work) {
        Executor threads = serverThreads(ctx);
        RouterStage<Void> done = new RouterStage<>(threads);
        Runnable task = () -> {
            try {
                RequestIdLog.run(ctx, work);
            } catch (RuntimeException failed) {
                ErrorHandling.answer(failed, ctx);
            }
        };
        stage.thenRunAsync(task, threads).whenComplete((nothing, failed) -> {
            if (failed == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failed);
            }
        });
        return done;
    }

    /**
     * A stage to which the router attaches the rest of a call. Other stages would run the rest on the attaching thread if
     * they are complete by then.
     */
    private static final class RouterStage<T> extends CompletableFuture<T> {
        private final Executor threads;

        RouterStage(Executor threads) {
            this.threads = threads;
        }

        @Override
        public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> rest) {
            return thenApplyAsync(rest, threads);
        }

        @Override
        public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> rest) {
            return exceptionallyAsync(rest, threads);
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new RouterStage<>(threads);
        }
    }

    /** Closes the connection of a call whose answer has begun and cannot be completed. */
    static void cut(Context ctx) {
        ServletContextRequest.getServletContextRequest(ctx.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint()
                .close();
    }

    /** Runs an action when an asynchronous call is over, whether it was answered, timed out or lost its connection. */
    static void onCompletion(Context ctx, Runnable action) {
        ctx.req().getAsyncContext().addListener(new CompletionListener(action));
    }

    private record CompletionListener(Runnable action) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            action.run();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            action.run();
        }

        @Override
        public void onError(AsyncEvent event) {
            action.run();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // The call continues.
        }
    }
}
