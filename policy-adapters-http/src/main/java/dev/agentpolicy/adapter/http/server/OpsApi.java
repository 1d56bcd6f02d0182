package dev.agentpolicy.adapter.http.server;

import static dev.agentpolicy.adapter.http.route.Access.PROBE;
import static dev.agentpolicy.adapter.http.route.Access.PUBLIC;

import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.metric.ServiceStatus;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.Reply;
import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints for operators (docs/reference/endpoints.md, Operators). They are meant for an internal network and have
 * no limits.
 */
public final class OpsApi {
    /** The path of the metrics. */
    public static final String METRICS = "/metrics";

    private static final int UNAVAILABLE = 503;
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final ServiceStatus status;
    private final Metrics metrics;
    private final DatabaseProbe database;

    public OpsApi(ServiceStatus status, Metrics metrics) {
        this.status = status;
        this.metrics = metrics;
        this.database = new DatabaseProbe(status.isDatabaseReady());
        metrics.watch(status);
    }

    /** All endpoints. */
    public List<Route> routes() {
        return List.of(
                new Route("GET", "/health/live", PROBE, "-", OpsApi::live),
                new Route("GET", "/health/ready", PROBE, "-", this::ready),
                metrics().get(0));
    }

    /** The metrics only, for a port of their own. */
    public List<Route> metrics() {
        return List.of(new Route("GET", METRICS, PUBLIC, "-", this::metrics));
    }

    public static boolean isMetrics(Route route) {
        return route.path().equals(METRICS);
    }

    /** Answers as long as the process works; without an answer it should be restarted. */
    private static void live(Context ctx) {
        Reply.onCompletingThread(ctx, CompletableFuture.completedFuture("live"), status -> status(ctx, status));
    }

    private static void status(Context ctx, String status) {
        Reply.object(ctx, 200, out -> out.text("status", status));
    }

    /** Answers whether calls should be sent to this node. */
    private void ready(Context ctx) {
        boolean isSignerWarm = status.isSignerWarm().getAsBoolean();
        Reply.onCompletingThread(ctx, database.ask(), isReady -> ready(ctx, isReady, isSignerWarm));
    }

    private static void ready(Context ctx, boolean isDatabaseReady, boolean isSignerWarm) {
        boolean isReady = isDatabaseReady && isSignerWarm;
        Reply.object(
                ctx,
                isReady ? 200 : UNAVAILABLE,
                out -> out.text("status", isReady ? "ready" : "not ready")
                        .truth("database", isDatabaseReady)
                        .truth("signer", isSignerWarm));
    }

    private void metrics(Context ctx) {
        ctx.contentType(PROMETHEUS_TEXT).result(metrics.text());
    }

    /**
     * Checks on its own thread whether the database answers. Callers that arrive during a check share the next one, so any
     * number of callers costs one statement at a time.
     *
     * <p>Thread-safe; {@link #ask} does not block.
     */
    private static final class DatabaseProbe {
        private static final long IDLE_SECONDS = 10;

        private final BooleanSupplier isReady;
        private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DatabaseProbe::daemon);
        private @Nullable CompletableFuture<Boolean> next;

        DatabaseProbe(BooleanSupplier isReady) {
            this.isReady = isReady;
            thread.allowCoreThreadTimeOut(true);
        }

        /** Completes, on the thread of the probe, with the result of a check that starts after this call. */
        synchronized CompletableFuture<Boolean> ask() {
            if (next == null) {
                next = CompletableFuture.supplyAsync(this::check, thread);
            }
            return next;
        }

        private boolean check() {
            synchronized (this) {
                next = null;
            }
            return isReady.getAsBoolean();
        }

        private static Thread daemon(Runnable work) {
            Thread made = new Thread(work, "database-probe");
            made.setDaemon(true);
            return made;
        }
    }
}
