package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import dev.agentpolicy.adapter.jdbc.rate.RateTable.Window;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls in the shared store on a thread of its own. Calls that arrive while a statement runs are counted by the next
 * statement. While the store is unavailable, the thread only tries to reconnect.
 */
final class CountBatcher implements AutoCloseable {
    private static final int MAX_QUEUED = 10_000;
    private static final int MAX_AT_ONCE = 1_000;
    /** While several calls arrive at once, waiting for more pays: a statement costs the same for one call as for many. */
    private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int IDLE_MILLIS = 200;
    private static final int IDLES_PER_CHECK = 10;
    private static final int CHECK_SECONDS = 1;
    private static final int PROBE_MILLIS = 500;
    private static final int MAX_START_SECONDS = 3;

    private final RateStoreAddress address;
    private final Outage outage;
    private final BlockingQueue<PendingCount> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final CountDownLatch tried = new CountDownLatch(1);
    private final Thread thread = DaemonThreads.named("policy-rate").newThread(this::run);
    private volatile boolean isClosing;
    private volatile long askedNanos;
    private volatile boolean isAsking;

    private CountBatcher(RateStoreAddress address, Outage outage) {
        this.address = address;
        this.outage = outage;
    }

    /** Returns after the first attempt to connect, successful or not. */
    static CountBatcher start(RateStoreAddress address, Outage outage) {
        CountBatcher batcher = new CountBatcher(address, outage);
        batcher.thread.start();
        try {
            batcher.tried.await(MAX_START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return batcher;
    }

    /** Whether a statement has been running for longer than the given time. */
    boolean hasAskedFor(long nanos) {
        return isAsking && System.nanoTime() - askedNanos > nanos;
    }

    /** Queues a call; returns false when the queue is full. */
    boolean offer(PendingCount call) {
        return queue.offer(call);
    }

    @Override
    public void close() {
        isClosing = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!isClosing) {
            try (RateTable table = RateTable.open(address)) {
                table.add(new TreeMap<>());
                found();
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
            PendingCount first = poll(IDLE_MILLIS);
            if (first != null) {
                if (isCrowded) {
                    LockSupport.parkNanos(GATHERING_NANOS);
                }
                List<PendingCount> batch = new ArrayList<>();
                batch.add(first);
                queue.drainTo(batch, MAX_AT_ONCE - 1);
                isCrowded = batch.size() > 1;
                ask(table, batch);
            } else if (++idles % IDLES_PER_CHECK == 0) {
                check(table);
            }
        }
    }

    /** Checks an idle connection. */
    private void check(RateTable table) throws SQLException {
        if (!table.isAlive(CHECK_SECONDS)) {
            throw new SQLException("The connection is gone.");
        }
        outage.answered();
    }

    private void ask(RateTable table, List<PendingCount> batch) throws SQLException {
        SortedMap<Window, Integer> calls = new TreeMap<>();
        batch.forEach(call -> calls.merge(call.window(), 1, Integer::sum));
        askedNanos = System.nanoTime();
        isAsking = true;
        try {
            answer(batch, calls, table.add(calls));
        } catch (SQLException | RuntimeException failed) {
            lost(failed);
            batch.forEach(PendingCount::giveUp);
            throw failed;
        } finally {
            isAsking = false;
        }
    }

    /** Numbers the calls of each window in order of arrival. */
    private static void answer(List<PendingCount> batch, SortedMap<Window, Integer> calls, Map<Window, Long> counts) {
        for (PendingCount call : batch) {
            int later = calls.merge(call.window(), -1, Integer::sum);
            call.answer(Objects.requireNonNull(counts.get(call.window())) - later);
        }
    }

    private void found() {
        outage.found();
        tried.countDown();
    }

    private void lost(Exception failed) {
        if (!isClosing) {
            outage.lost(failed);
        }
    }

    /** Lets waiting calls go uncounted until the next attempt to connect is due. */
    private void releaseWaiting() {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PROBE_MILLIS);
        while (!isClosing && System.nanoTime() < until) {
            PendingCount call = poll(IDLE_MILLIS);
            if (call != null) {
                call.giveUp();
            }
        }
    }

    private @Nullable PendingCount poll(int millis) {
        try {
            return queue.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            isClosing = true;
            return null;
        }
    }
}
