package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.Totals;
import java.util.concurrent.TimeUnit;

/** Writes usage (specification, UsageResponse). */
public final class UsageJson {

    private UsageJson() {}

    public static void write(JsonWriter out, UsageReport report) {
        out.instant("since", report.since())
                .object("totals", report.totals(), UsageJson::totals)
                .array(
                        "series",
                        report.series(),
                        (day, it) -> day.text("day", it.day().toString())
                                .integer("total", it.total())
                                .integer("errors", it.errors()))
                .array(
                        "topPaths",
                        report.topPaths(),
                        (path, it) -> path.text("path", it.path()).integer("count", it.count()))
                .array(
                        "topKeys",
                        report.topKeys(),
                        (key, it) -> key.text("agentKeyId", it.agentKeyId().toString())
                                .integer("count", it.count()))
                .array("recent", report.recent(), UsageJson::call);
    }

    private static void totals(JsonWriter out, Totals totals) {
        out.integer("total", totals.total())
                .integer("errors", totals.errors())
                .integer("p50Latency", totals.p50Millis())
                .integer("p95Latency", totals.p95Millis());
    }

    private static void call(JsonWriter out, CallRecord call) {
        out.text("agentKeyId", call.agentKeyId().toString())
                .text("path", call.path())
                .integer("status", call.status())
                .integer("latencyMs", TimeUnit.MICROSECONDS.toMillis(call.latencyMicros()))
                .instant("createdAt", call.at());
    }
}
