package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects calls without blocking the callers. Calls are queued and then added up, so memory grows with users, keys and
 * routes and not with the length of a database outage.
 */
public final class CallBuffer {
    /** When the queue is longer, the thread that adds a call also adds up, unless another thread is doing so. */
    private static final int LONG_QUEUE = 8_192;

    private static final int MAX_QUEUED = 131_072;
    private static final int MAX_ROWS = 20_000;

    private final Queue<CallRecord> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final LongAdder lost = new LongAdder();
    private final ReentrantLock adding = new ReentrantLock();
    private UsageAccumulator sums = new UsageAccumulator();
    private int rowsInFlight;

    public void add(CallRecord call) {
        int length = queued.incrementAndGet();
        if (length > MAX_QUEUED) {
            queued.decrementAndGet();
            lost.increment();
            return;
        }
        queue.add(call);
        if (length > LONG_QUEUE && adding.tryLock()) {
            try {
                addUp(LONG_QUEUE);
            } finally {
                adding.unlock();
            }
        }
    }

    /** Adds up the queued calls. */
    void addUp() {
        adding.lock();
        try {
            addUp(MAX_QUEUED);
        } finally {
            adding.unlock();
        }
    }

    boolean has(UserId user) {
        adding.lock();
        try {
            addUp(MAX_QUEUED);
            return sums.has(user);
        } finally {
            adding.unlock();
        }
    }

    /** Returns the sums so far and starts anew. Their rows count towards the capacity until the next call of this method. */
    UsageAccumulator take() {
        adding.lock();
        try {
            addUp(MAX_QUEUED);
            UsageAccumulator taken = sums;
            sums = new UsageAccumulator();
            rowsInFlight = taken.rows();
            return taken;
        } finally {
            adding.unlock();
        }
    }

    /** Returns how many calls were dropped for lack of room since the last call of this method. */
    long takeLost() {
        return lost.sumThenReset();
    }

    private void addUp(int most) {
        for (int i = 0; i < most; i++) {
            CallRecord call = queue.poll();
            if (call == null) {
                return;
            }
            queued.decrementAndGet();
            if (!sums.add(call, MAX_ROWS - rowsInFlight)) {
                lost.increment();
            }
        }
    }
}
