package dev.agentpolicy.adapter.http.wire;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/**
 * A warning that may be due thousands of times a second. The first is logged immediately. Those within the next minute
 * are counted and logged as one line at its end, and so on while they continue.
 *
 * <p>Thread-safe; nothing blocks.
 */
public final class RepeatedWarning {
    static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MAX_REASONS = 8;
    private static final String OTHER_REASONS = "other reasons";

    private final Logger log;
    private final String summary;
    private final Executor afterPause;
    private final Map<String, Integer> held = new LinkedHashMap<>();
    private boolean isPausing;

    /** @param summary what happened, as the end of a sentence that begins with a number */
    public RepeatedWarning(Logger log, String summary) {
        this(log, summary, CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** @param afterPause runs a task after a minute */
    public RepeatedWarning(Logger log, String summary, Executor afterPause) {
        this.log = log;
        this.summary = summary;
        this.afterPause = afterPause;
    }

    /**
     * Logs or counts a warning.
     *
     * @param what what happened this time; not part of the counts
     * @param reason the reason by which warnings are counted
     */
    public void warn(String what, String reason) {
        if (isFirst(reason)) {
            log.warn("{}: {}", what, reason);
            afterPause.execute(this::endPause);
        }
    }

    private synchronized boolean isFirst(String reason) {
        if (isPausing) {
            boolean isListed = held.containsKey(reason) || held.size() < MAX_REASONS;
            held.merge(isListed ? reason : OTHER_REASONS, 1, Integer::sum);
            return false;
        }
        isPausing = true;
        return true;
    }

    private void endPause() {
        Map<String, Integer> counts = counted();
        if (!counts.isEmpty()) {
            int total = counts.values().stream().mapToInt(Integer::intValue).sum();
            String reasons = counts.entrySet().stream()
                    .map(reason -> reason.getKey() + " (" + reason.getValue() + ")")
                    .collect(Collectors.joining("; "));
            log.warn("{} {} in the last minute: {}", total, summary, reasons);
            afterPause.execute(this::endPause);
        }
    }

    /** The counts of the past minute. If there are none, the next warning is logged immediately again. */
    private synchronized Map<String, Integer> counted() {
        Map<String, Integer> counts = new LinkedHashMap<>(held);
        held.clear();
        isPausing = !counts.isEmpty();
        return counts;
    }
}
