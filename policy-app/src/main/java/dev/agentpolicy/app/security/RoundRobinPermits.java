package dev.agentpolicy.app.security;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A fixed number of permits that several bounded queues wait for. A returned permit goes to the next queue in
 * turn, so a queue with many waiters delays each other queue by one permit only. Each queue is first in, first out.
 *
 * @param <Q> names the queues
 */
@SuppressWarnings("EnumOrdinal") // Only an index into the list of queues, never stored.
final class RoundRobinPermits<Q extends Enum<Q>> {
    /** The waiters of each queue, in the order of the names. */
    private final List<Deque<CountDownLatch>> queues;

    private final int maxWaiting;
    private int free;
    private int turn;

    /**
     * Makes the permits.
     *
     * @param names the class of the names of the queues
     * @param permits how many there are
     * @param maxWaiting how many may wait in each queue
     */
    RoundRobinPermits(Class<Q> names, int permits, int maxWaiting) {
        this.queues = Stream.of(names.getEnumConstants())
                .<Deque<CountDownLatch>>map(name -> new ArrayDeque<>())
                .toList();
        this.free = permits;
        this.maxWaiting = maxWaiting;
    }

    /**
     * Waits for a permit, which must be {@linkplain #release() returned}.
     *
     * @return false when the queue is full, no permit came in time, or the thread was interrupted
     */
    boolean acquire(Q queue, Duration patience) {
        Deque<CountDownLatch> waiters = queues.get(queue.ordinal());
        CountDownLatch granted = new CountDownLatch(1);
        synchronized (this) {
            if (free > 0) {
                free--;
                return true;
            }
            if (waiters.size() >= maxWaiting) {
                return false;
            }
            waiters.addLast(granted);
        }
        return await(granted, patience) || !left(waiters, granted);
    }

    private static boolean await(CountDownLatch granted, Duration patience) {
        try {
            return granted.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Leaves a queue; false when a permit came at the last moment, which the caller then has. */
    private synchronized boolean left(Deque<CountDownLatch> waiters, CountDownLatch granted) {
        return waiters.remove(granted);
    }

    /** Returns a permit. */
    synchronized void release() {
        for (int i = 0; i < queues.size(); i++) {
            CountDownLatch next = queues.get(turn).pollFirst();
            turn = (turn + 1) % queues.size();
            if (next != null) {
                next.countDown();
                return;
            }
        }
        free++;
    }

    /** How many wait in a queue. */
    synchronized int waiting(Q queue) {
        return queues.get(queue.ordinal()).size();
    }
}
