package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes calls from any thread without making it wait. Calls queue for a moment and are then added up, so that a database
 * that is away for long costs no more memory than one that is away for short.
 */
public final class CallBuffer {
    /** From here on whoever adds a call and finds nobody at it adds up what has queued. */
    private static final int LONG_QUEUE = 8_192;

    private static final int MAX_QUEUED = 131_072;
    private static final int MAX_ROWS = 20_000;

    private final Queue<CallRecord> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final LongAdder lost = new LongAdder();
    private final ReentrantLock adding = new ReentrantLock();
    private UsageAccumulator noted = new UsageAccumulator();
    private int rowsUnderWay;

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

    /** Adds up what has queued. */
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
            return noted.has(user);
        } finally {
            adding.unlock();
        }
    }

    /** Hands out what was noted so far; it counts towards what fits here until the next is taken. */
    UsageAccumulator take() {
        adding.lock();
        try {
            addUp(MAX_QUEUED);
            UsageAccumulator taken = noted;
            noted = new UsageAccumulator();
            rowsUnderWay = taken.rows();
            return taken;
        } finally {
            adding.unlock();
        }
    }

    /** Calls there was no room for since this was last asked. */
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
            if (!noted.add(call, MAX_ROWS - rowsUnderWay)) {
                lost.increment();
            }
        }
    }
}
