package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.rate.RateTable.Window;
import dev.agentpolicy.adapter.jdbc.sql.DaemonThreads;
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
 * Counts calls in the store on a thread of its own: what queues while one statement runs is in the next one. While the
 * store is away the thread does nothing but look whether it is back.
 */
final class CountLane implements AutoCloseable {
    private static final int MAX_QUEUED = 10_000;
    private static final int MAX_AT_ONCE = 1_000;
    /** While several call at once it pays to wait for more of them: a statement costs as much for one as for many. */
    private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int IDLE_MILLIS = 200;
    private static final int IDLES_PER_CHECK = 10;
    private static final int CHECK_SECONDS = 1;
    private static final int PROBE_MILLIS = 500;
    private static final int LONGEST_START_SECONDS = 3;

    private final RateStoreAddress address;
    private final Outage outage;
    private final BlockingQueue<Ticket> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final CountDownLatch tried = new CountDownLatch(1);
    private final Thread thread = DaemonThreads.named("policy-rate").newThread(this::run);
    private volatile boolean isClosing;
    private volatile long askedNanos;
    private volatile boolean isAsking;

    private CountLane(RateStoreAddress address, Outage outage) {
        this.address = address;
        this.outage = outage;
    }

    /** Returns when the store has been found, or found to be away. */
    static CountLane start(RateStoreAddress address, Outage outage) {
        CountLane lane = new CountLane(address, outage);
        lane.thread.start();
        try {
            lane.tried.await(LONGEST_START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return lane;
    }

    /** Whether the statement that runs now has been running for longer than that. */
    boolean hasAskedFor(long nanos) {
        return isAsking && System.nanoTime() - askedNanos > nanos;
    }

    /** Whether there was room. */
    boolean offer(Ticket ticket) {
        return queue.offer(ticket);
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
            giveUpWaiting();
        }
    }

    private void serve(RateTable table) throws SQLException {
        int idles = 0;
        boolean isCrowded = false;
        while (!isClosing) {
            Ticket first = poll(IDLE_MILLIS);
            if (first != null) {
                if (isCrowded) {
                    LockSupport.parkNanos(GATHERING_NANOS);
                }
                List<Ticket> batch = new ArrayList<>();
                batch.add(first);
                queue.drainTo(batch, MAX_AT_ONCE - 1);
                isCrowded = batch.size() > 1;
                ask(table, batch);
            } else if (++idles % IDLES_PER_CHECK == 0) {
                check(table);
            }
        }
    }

    /** While nobody calls. */
    private void check(RateTable table) throws SQLException {
        if (!table.isAlive(CHECK_SECONDS)) {
            throw new SQLException("The connection is gone.");
        }
        outage.answered();
    }

    private void ask(RateTable table, List<Ticket> batch) throws SQLException {
        SortedMap<Window, Integer> calls = new TreeMap<>();
        batch.forEach(ticket -> calls.merge(ticket.window(), 1, Integer::sum));
        askedNanos = System.nanoTime();
        isAsking = true;
        try {
            answer(batch, calls, table.add(calls));
        } catch (SQLException | RuntimeException failed) {
            lost(failed);
            batch.forEach(Ticket::giveUp);
            throw failed;
        } finally {
            isAsking = false;
        }
    }

    /** Numbers the calls of each window in the order they came. */
    private static void answer(List<Ticket> batch, SortedMap<Window, Integer> calls, Map<Window, Long> counts) {
        for (Ticket ticket : batch) {
            int later = calls.merge(ticket.window(), -1, Integer::sum);
            ticket.answer(Objects.requireNonNull(counts.get(ticket.window())) - later);
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

    /** Nobody comes while the store is away; whoever came just before is sent off, until it is time to look again. */
    private void giveUpWaiting() {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PROBE_MILLIS);
        while (!isClosing && System.nanoTime() < until) {
            Ticket ticket = poll(IDLE_MILLIS);
            if (ticket != null) {
                ticket.giveUp();
            }
        }
    }

    private @Nullable Ticket poll(int millis) {
        try {
            return queue.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            isClosing = true;
            return null;
        }
    }
}
