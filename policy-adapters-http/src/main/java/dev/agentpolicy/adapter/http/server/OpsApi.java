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

/** What operators ask the service (docs/reference/endpoints.md, Operators). Meant for inside: nothing here is limited. */
public final class OpsApi {
    /** Where the metrics are. */
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

    /** All that operators ask. */
    public List<Route> routes() {
        return List.of(
                new Route("GET", "/health/live", PROBE, "-", OpsApi::live),
                new Route("GET", "/health/ready", PROBE, "-", this::ready),
                metrics().get(0));
    }

    /** The metrics alone, for a port of their own. */
    public List<Route> metrics() {
        return List.of(new Route("GET", METRICS, PUBLIC, "-", this::metrics));
    }

    public static boolean isMetrics(Route route) {
        return route.path().equals(METRICS);
    }

    /** The process answers; if not even that, it wants to be started again. */
    private static void live(Context ctx) {
        Reply.onCompletingThread(ctx, CompletableFuture.completedFuture("live"), status -> status(ctx, status));
    }

    private static void status(Context ctx, String status) {
        Reply.object(ctx, 200, out -> out.text("status", status));
    }

    /** Whether calls should come here now. */
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
}
