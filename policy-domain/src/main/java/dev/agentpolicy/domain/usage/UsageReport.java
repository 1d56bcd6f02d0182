package dev.agentpolicy.domain.usage;

import dev.agentpolicy.domain.agent.AgentKeyId;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * The calls of a user's agents over some days (specification, UsageResponse).
 *
 * @param since start of the window, midnight UTC
 * @param totals sums over the whole window
 * @param series every day of the window, oldest first
 * @param topPaths the most called routes, at most {@link #TOP}
 * @param topKeys the keys with most calls, at most {@link #TOP}
 * @param recent the last calls, newest first, at most {@link #RECENT}
 */
public record UsageReport(
        Instant since,
        Totals totals,
        List<DailyUsage> series,
        List<PathCount> topPaths,
        List<KeyCount> topKeys,
        List<CallRecord> recent) {
    public static final int TOP = 10;
    public static final int RECENT = 10;
    public static final int DEFAULT_DAYS = 7;
    public static final int MAX_DAYS = 30;

    public UsageReport {
        series = List.copyOf(series);
        topPaths = List.copyOf(topPaths);
        topKeys = List.copyOf(topKeys);
        recent = List.copyOf(recent);
    }

    /**
     * Sums over the window.
     *
     * @param total number of calls
     * @param errors number of calls with status 400 or more
     * @param p50Millis median latency in milliseconds
     * @param p95Millis 95th percentile of the latency in milliseconds
     */
    public record Totals(long total, long errors, long p50Millis, long p95Millis) {}

    /** Calls and errors of one UTC day. */
    public record DailyUsage(LocalDate day, long total, long errors) {}

    /** Calls to one route. */
    public record PathCount(String path, long count) {}

    /** Calls by one key. */
    public record KeyCount(AgentKeyId agentKeyId, long count) {}
}
