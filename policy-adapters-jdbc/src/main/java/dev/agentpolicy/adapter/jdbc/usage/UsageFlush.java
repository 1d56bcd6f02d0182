package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.usage.CallRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the sums of the buffer to the database, one flush at a time. A failed flush is sent again, unchanged and under the
 * same number, before any other. So it counts once even if its COMMIT succeeded and the answer was lost.
 */
public final class UsageFlush {
    private final UUID node = UUID.randomUUID();
    private final CallBuffer buffer;
    private final Transactions transactions;
    private final InstantSource clock;
    private final ReentrantLock flushing = new ReentrantLock();
    private UsageAccumulator inFlight = new UsageAccumulator();
    private long number;

    public UsageFlush(CallBuffer buffer, Transactions transactions, InstantSource clock) {
        this.buffer = buffer;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Writes everything that was recorded before; returns when it is committed. */
    public void everything() {
        flushing.lock();
        try {
            send();
            inFlight = buffer.take();
            number++;
            send();
        } finally {
            flushing.unlock();
        }
    }

    /** Writes everything if anything of this user is not written yet. */
    void including(UserId user) {
        flushing.lock();
        try {
            if (inFlight.has(user) || buffer.has(user)) {
                everything();
            }
        } finally {
            flushing.unlock();
        }
    }

    private void send() {
        if (inFlight.isEmpty()) {
            return;
        }
        transactions.inOne(connection -> {
            if (isNew(connection)) {
                new UsageTables(connection).add(inFlight, transactions.dialect());
            }
            return number;
        });
        inFlight = new UsageAccumulator();
    }

    /** Whether this flush is not stored yet. Waits if the server is still committing an earlier attempt. */
    private boolean isNew(Connection connection) throws SQLException {
        List<Long> stored = Reads.list(
                connection,
                "SELECT flush FROM usage_flush WHERE node_id = ? FOR UPDATE",
                row -> row.getLong("flush"),
                node);
        if (!stored.isEmpty() && stored.get(0) >= number) {
            return false;
        }
        Transactions.update(
                connection,
                stored.isEmpty()
                        ? "INSERT INTO usage_flush(flush, flushed_at, node_id) VALUES (?, ?, ?)"
                        : "UPDATE usage_flush SET flush = ?, flushed_at = ? WHERE node_id = ?",
                number,
                Timestamps.column(Instants.truncated(clock.instant())),
                node);
        return true;
    }

    /**
     * Collects calls without blocking the callers. Calls are queued and then added up, so memory grows with users, keys and
     * routes and not with the length of a database outage.
     */
    public static final class CallBuffer {
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
}
