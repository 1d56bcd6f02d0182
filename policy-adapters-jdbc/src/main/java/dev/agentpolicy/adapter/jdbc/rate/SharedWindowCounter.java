package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import dev.agentpolicy.adapter.jdbc.rate.RateTable.Window;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the calls to all nodes in a shared store, on a thread of its own: calls that arrive while a statement runs are
 * counted by the next one. A call is admitted with a full budget when the store does not answer in time, or while it is
 * unavailable (specification, Limits); the thread then only tries to reconnect.
 */
public final class SharedWindowCounter implements CallCounter, CallCounters {
    static final Duration DEFAULT_PATIENCE = Duration.ofMillis(20);
    private static final Logger LOG = LoggerFactory.getLogger(SharedWindowCounter.class);
    private static final int SWEEP_SECONDS = 10;
    /** A statement that runs for so many times the patience is stuck; no further calls are queued behind it. */
    private static final int STUCK_FACTOR = 5;

    private static final int MAX_QUEUED = 10_000;
    private static final int MAX_AT_ONCE = 1_000;
    /** While several calls arrive at once, waiting for more pays: a statement costs the same for one call as for many. */
    private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int IDLE_MILLIS = 200;
    private static final int IDLES_PER_CHECK = 10;
    private static final int CHECK_SECONDS = 1;
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MAX_START_SECONDS = 3;
    /** Stands for the number of a call that was not counted in time. */
    private static final long NOT_COUNTED = 0;

    private final int perSecond;
    private final long patienceNanos;
    private final RateTable.Address address;
    private final Outage outage = new Outage();
    private final LongAdder uncounted = new LongAdder();
    private final BlockingQueue<Call> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final CountDownLatch tried = new CountDownLatch(1);
    private final Thread counting = DaemonThreads.named("policy-rate").newThread(this::run);
    private final ScheduledExecutorService sweeping =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("policy-rate-sweep"));
    private volatile boolean isClosing;
    private volatile boolean isAsking;
    private volatile long askedNanos;

    private SharedWindowCounter(RateTable.Address address, int perSecond, Duration patience) {
        this.address = address;
        this.perSecond = perSecond;
        this.patienceNanos = patience.toNanos();
    }

    /** A call that waits to be counted; its number within its window, from 1. */
    private record Call(Window window, CompletableFuture<Long> number) {}

    /** Returns after the first attempt to connect, successful or not. */
    @SuppressWarnings("FutureReturnValueIgnored") // Repeats until the counter is closed; it handles its failures.
    static SharedWindowCounter start(RateTable.Address address, int perSecond, Duration patience) {
        SharedWindowCounter counter = new SharedWindowCounter(address, perSecond, patience);
        counter.counting.start();
        try {
            counter.tried.await(MAX_START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        counter.sweeping.scheduleWithFixedDelay(counter::removeOld, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        return counter;
    }

    @Override
    public CallCounter counter() {
        return this;
    }

    @Override
    public CompletionStage<RateBudget> count(String caller, Instant now) {
        if (outage.isLost()) {
            return CompletableFuture.completedStage(withoutStore());
        }
        boolean isStuck = isAsking && System.nanoTime() - askedNanos > STUCK_FACTOR * patienceNanos;
        Call call = new Call(new Window(caller, now.getEpochSecond()), new CompletableFuture<>());
        if (isStuck || !queue.offer(call)) {
            return CompletableFuture.completedStage(budget(NOT_COUNTED));
        }
        return call.number
                .completeOnTimeout(NOT_COUNTED, patienceNanos, TimeUnit.NANOSECONDS)
                .thenApply(this::budget);
    }

    private RateBudget budget(long calls) {
        if (calls == NOT_COUNTED) {
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

    @Override
    public boolean isStoreAway() {
        return outage.isAway();
    }

    @Override
    public long uncounted() {
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
        isClosing = true;
        try {
            counting.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // The counting thread

    private void run() {
        while (!isClosing) {
            try (RateTable table = RateTable.open(address)) {
                table.add(new TreeMap<>());
                outage.found();
                tried.countDown();
                serve(table);
            } catch (SQLException | RuntimeException failed) {
                lost(failed);
            }
            tried.countDown();
            releaseWaiting();
        }
    }

    private void serve(RateTable table) throws SQLException {
        int idles = 0;
        boolean isCrowded = false;
        while (!isClosing) {
            Call first = poll();
            if (first != null) {
                if (isCrowded) {
                    LockSupport.parkNanos(GATHERING_NANOS);
                }
                List<Call> batch = new ArrayList<>();
                batch.add(first);
                queue.drainTo(batch, MAX_AT_ONCE - 1);
                isCrowded = batch.size() > 1;
                count(table, batch);
            } else if (++idles % IDLES_PER_CHECK == 0) {
                if (!table.isAlive(CHECK_SECONDS)) {
                    throw new SQLException("The connection is gone.");
                }
                outage.answered();
            }
        }
    }

    /** Numbers the calls of each window in order of arrival. */
    private void count(RateTable table, List<Call> batch) throws SQLException {
        SortedMap<Window, Integer> calls = new TreeMap<>();
        batch.forEach(call -> calls.merge(call.window, 1, Integer::sum));
        askedNanos = System.nanoTime();
        isAsking = true;
        try {
            Map<Window, Long> counts = table.add(calls);
            for (Call call : batch) {
                int later = calls.merge(call.window, -1, Integer::sum);
                call.number.complete(Objects.requireNonNull(counts.get(call.window)) - later);
            }
        } catch (SQLException | RuntimeException failed) {
            lost(failed);
            batch.forEach(call -> call.number.complete(NOT_COUNTED));
            throw failed;
        } finally {
            isAsking = false;
        }
    }

    private void lost(Exception failed) {
        if (!isClosing) {
            outage.lost(failed);
        }
    }

    /** Lets waiting calls go uncounted until the next attempt to connect is due. */
    private void releaseWaiting() {
        long until = System.nanoTime() + PROBE_NANOS;
        while (!isClosing && System.nanoTime() < until) {
            Call call = poll();
            if (call != null) {
                call.number.complete(NOT_COUNTED);
            }
        }
    }

    private @Nullable Call poll() {
        try {
            return queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            isClosing = true;
            return null;
        }
    }

    /**
     * The state of the shared store of call counts. It is unavailable when its connection is lost, or when no answer has been in
     * time for half a second. Logs the beginning and the end of an outage once each.
     */
    public static final class Outage {
        private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
        private static final long TOO_LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
        private static final long NEVER = 0;

        private volatile boolean isLost = true;
        private volatile boolean isSlow;
        private volatile long lateSince = NEVER;
        private boolean isWarned;

        /** Whether there is no connection, so no call is sent. */
        boolean isLost() {
            return isLost;
        }

        /** Whether calls are admitted uncounted. */
        boolean isAway() {
            return isLost || isSlow;
        }

        /** Records that a connection was made. */
        void found() {
            isLost = false;
            inTime();
        }

        /** Records that the connection was lost, or that none could be made. */
        void lost(Exception failed) {
            isLost = true;
            warn("The store of call counts is unavailable; until it is back, calls are admitted uncounted.", failed);
        }

        /** Records an answer in time. Called at every call, so the usual case is fast. */
        void answered() {
            if (lateSince != NEVER && !isLost) {
                inTime();
            }
        }

        /** Records that an answer was late. */
        void late() {
            long now = System.nanoTime();
            long since = lateSince;
            if (since == NEVER) {
                lateSince = now == NEVER ? 1 : now;
            } else if (now - since > TOO_LONG_NANOS && !isSlow) {
                isSlow = true;
                warn("The store of call counts is too slow; until it recovers, calls are admitted uncounted.", null);
            }
        }

        private void inTime() {
            lateSince = NEVER;
            isSlow = false;
            back();
        }

        private synchronized void warn(String message, @Nullable Exception failed) {
            if (!isWarned) {
                isWarned = true;
                LOG.warn(message, failed);
            }
        }

        private synchronized void back() {
            if (isWarned && !isLost) {
                isWarned = false;
                LOG.info("The store of call counts is back.");
            }
        }
    }
}
