package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import dev.agentpolicy.adapter.jdbc.rate.RateTable.Window;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the calls to all nodes in a shared store. A call is admitted with a full budget when the store does not answer in
 * time, or while it is unavailable (specification, Limits).
 */
final class SharedWindowCounter implements CallCounter, AutoCloseable {
    static final Duration DEFAULT_PATIENCE = Duration.ofMillis(20);

    private static final Logger LOG = LoggerFactory.getLogger(SharedWindowCounter.class);
    private static final int SWEEP_SECONDS = 10;
    /** A statement that runs for so many times the patience is stuck. */
    private static final int STUCK_FACTOR = 5;

    private final int perSecond;
    private final long patienceNanos;
    private final RateStoreAddress address;
    private final CountBatcher batcher;
    private final Outage outage = new Outage();
    private final LongAdder uncounted = new LongAdder();
    private final ScheduledExecutorService sweeping =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("policy-rate-sweep"));

    private SharedWindowCounter(RateStoreAddress address, int perSecond, Duration patience) {
        this.address = address;
        this.perSecond = perSecond;
        this.patienceNanos = patience.toNanos();
        this.batcher = CountBatcher.start(address, outage);
    }

    @SuppressWarnings(
            "FutureReturnValueIgnored") // Repeats until the counter is closed; failures are handled in the task.
    static SharedWindowCounter start(RateStoreAddress address, int perSecond, Duration patience) {
        SharedWindowCounter counter = new SharedWindowCounter(address, perSecond, patience);
        counter.sweeping.scheduleWithFixedDelay(counter::removeOld, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        return counter;
    }

    @Override
    public CompletionStage<RateBudget> count(String caller, Instant now) {
        return outage.isLost()
                ? CompletableFuture.completedStage(withoutStore())
                : ask(caller, now).thenApply(this::budget);
    }

    boolean isStoreAway() {
        return outage.isAway();
    }

    /** The number of calls that were admitted uncounted. */
    long uncounted() {
        return uncounted.sum();
    }

    /** Deletes old windows over a connection of its own, so that no call waits for it. */
    void removeOld() {
        if (outage.isLost()) {
            return;
        }
        try (RateTable table = RateTable.open(address)) {
            table.removeOld();
        } catch (SQLException | RuntimeException failed) {
            LOG.debug("Old counts could not be deleted; the next attempt follows.", failed);
        }
    }

    @Override
    public void close() {
        sweeping.shutdown();
        batcher.close();
    }

    /** Whether the current statement takes so long that further calls are not queued behind it. */
    private boolean isStuck() {
        return batcher.hasAskedFor(STUCK_FACTOR * patienceNanos);
    }

    private CompletionStage<Long> ask(String caller, Instant now) {
        PendingCount call = new PendingCount(new Window(caller, now.getEpochSecond()));
        return !isStuck() && batcher.offer(call)
                ? call.number(patienceNanos)
                : CompletableFuture.completedStage(PendingCount.NONE);
    }

    private RateBudget budget(long calls) {
        if (calls == PendingCount.NONE) {
            outage.late();
            return withoutStore();
        }
        outage.answered();
        return RateBudget.after(calls, perSecond);
    }

    private RateBudget withoutStore() {
        uncounted.increment();
        return RateBudget.full(perSecond);
    }
}
