package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Adds the request id to every line that is logged for a call, on any thread. */
public final class RequestIdLog {
    private static final String REQUEST_ID = "requestId";

    private RequestIdLog() {}

    public static Handler handler(Handler work) {
        return ctx -> {
            MDC.put(REQUEST_ID, ResponseHeaders.requestId(ctx.res()));
            try {
                work.handle(ctx);
            } finally {
                MDC.remove(REQUEST_ID);
            }
        };
    }

    static <T> Consumer<T> answer(Context ctx, Consumer<T> work) {
        return value -> run(ctx, () -> work.accept(value));
    }

    public static void run(Context ctx, Runnable work) {
        run(ResponseHeaders.requestId(ctx.res()), work);
    }

    public static void run(@Nullable String requestId, Runnable work) {
        MDC.put(REQUEST_ID, requestId);
        try {
            work.run();
        } finally {
            MDC.remove(REQUEST_ID);
        }
    }
}
