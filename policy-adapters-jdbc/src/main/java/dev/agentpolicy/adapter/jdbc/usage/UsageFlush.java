package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
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
}
