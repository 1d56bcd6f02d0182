package dev.agentpolicy.adapter.http;

import io.javalin.http.Context;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Decides which thread does a call. Those that need nothing but this process until they are queued are begun by the thread
 * that read them off their connection, which saves them a change of threads, among the largest costs of a call. It reads
 * for many connections, so whoever may have to wait after all moves on to a thread that may.
 */
final class Patience extends Handler.Wrapper {
    private static final String NONE = "no-patience";

    private final Set<String> quick;

    /** @param quick paths of POST calls that are begun at once */
    Patience(Set<String> quick) {
        this.quick = Set.copyOf(quick);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (request.getMethod().equals("POST")
                && quick.contains(request.getHttpURI().getPath())) {
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
    static void beforeSending(Context ctx) {
        if (ctx.resultInputStream() != null) {
            run(ctx, () -> {});
        }
    }

    /** Does the rest of a call on a thread that may wait. */
    static void run(Context ctx, Runnable work) {
        if (isMissing(ctx)) {
            regain(ctx);
            ctx.future(() -> CompletableFuture.runAsync(
                    () -> Trace.run(ctx, work),
                    task -> ctx.req().getAsyncContext().start(task)));
        } else {
            work.run();
        }
    }
}
