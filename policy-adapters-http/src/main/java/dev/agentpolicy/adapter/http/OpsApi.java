package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Access.PUBLIC;

import io.javalin.http.Context;
import java.util.List;

/** What those who run the service ask it (contract, section 7). Meant for inside: nothing here is counted or limited. */
public final class OpsApi {
    private static final int UNAVAILABLE = 503;
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final Vitals vitals;
    private final Metrics metrics;

    public OpsApi(Vitals vitals, Metrics metrics) {
        this.vitals = vitals;
        this.metrics = metrics;
        metrics.watch(vitals);
    }

    public List<Route> routes() {
        return List.of(
                new Route("GET", "/health/live", PUBLIC, "-", OpsApi::live),
                new Route("GET", "/health/ready", PUBLIC, "-", this::ready),
                new Route("GET", "/metrics", PUBLIC, "-", this::metrics));
    }

    /** The process answers; if not even that, it wants to be started again. */
    private static void live(Context ctx) {
        Reply.object(ctx, 200, out -> out.text("status", "live"));
    }

    /** Whether calls should come here now. */
    private void ready(Context ctx) {
        boolean isDatabaseReady = vitals.isDatabaseReady().getAsBoolean();
        boolean isSignerWarm = vitals.isSignerWarm().getAsBoolean();
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
