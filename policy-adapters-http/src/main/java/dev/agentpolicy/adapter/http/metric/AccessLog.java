package dev.agentpolicy.adapter.http.metric;

import dev.agentpolicy.adapter.http.wire.RequestIdLog;
import io.javalin.http.Context;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs each answered call: at INFO if it was refused, else at DEBUG. The line names the route and not the path, so the
 * only text in it that a caller chooses is a well-formed request id.
 */
public final class AccessLog {
    /** Off by default: decisions are in the signed log, counts in usage, and unknown callers could fill the disk. */
    private static final Logger LOG = LoggerFactory.getLogger("dev.agentpolicy.calls");

    private static final int FIRST_REFUSED = 400;

    private AccessLog() {}

    public static void write(Context ctx, String method, String route, long nanos) {
        int status = ctx.statusCode();
        Level level = status >= FIRST_REFUSED ? Level.INFO : Level.DEBUG;
        if (LOG.isEnabledForLevel(level)) {
            RequestIdLog.run(
                    ctx,
                    () -> LOG.atLevel(level)
                            .addKeyValue("method", method)
                            .addKeyValue("route", route)
                            .addKeyValue("status", status)
                            .addKeyValue("micros", TimeUnit.NANOSECONDS.toMicros(nanos))
                            .log("{} {} {}", method, route, status));
        }
    }
}
