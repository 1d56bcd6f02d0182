package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.adapter.jdbc.sql.Transactions;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Moves what was noted into the database, one flush after the other. One that fails stays what it is and is sent again
 * under its number before anything else, so that it counts once even if its COMMIT was carried out and never answered.
 */
public final class UsageFlush {
    private final UUID node = UUID.randomUUID();
    private final CallBuffer buffer;
    private final Transactions transactions;
    private final InstantSource clock;
    private final ReentrantLock flushing = new ReentrantLock();
    private UsageAccumulator underWay = new UsageAccumulator();
    private long number;

    public UsageFlush(CallBuffer buffer, Transactions transactions, InstantSource clock) {
        this.buffer = buffer;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Returns when everything is written that was noted before. */
    public void everything() {
        flushing.lock();
        try {
            send();
            underWay = buffer.take();
            number++;
            send();
        } finally {
            flushing.unlock();
        }
    }

    /** The same as far as one user is concerned. */
    void including(UserId user) {
        flushing.lock();
        try {
            if (underWay.has(user) || buffer.has(user)) {
                everything();
            }
        } finally {
            flushing.unlock();
        }
    }

    private void send() {
        if (underWay.isEmpty()) {
            return;
        }
        transactions.inOne(connection -> {
            if (isNew(connection)) {
                new UsageWrites(connection, transactions.dialect()).add(underWay);
            }
            return number;
        });
        underWay = new UsageAccumulator();
    }

    /** Waits for the same flush if the server is still at it. */
    private boolean isNew(Connection connection) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT flush FROM usage_flush WHERE node_id = ? FOR UPDATE")) {
            query.setObject(1, node);
            try (ResultSet row = query.executeQuery()) {
                boolean isThere = row.next();
                if (isThere && row.getLong("flush") >= number) {
                    return false;
                }
                take(connection, isThere);
                return true;
            }
        }
    }

    private void take(Connection connection, boolean isThere) throws SQLException {
        try (PreparedStatement write = connection.prepareStatement(
                isThere
                        ? "UPDATE usage_flush SET flush = ?, flushed_at = ? WHERE node_id = ?"
                        : "INSERT INTO usage_flush(flush, flushed_at, node_id) VALUES (?, ?, ?)")) {
            write.setLong(1, number);
            write.setObject(2, Timestamps.column(Instants.truncated(clock.instant())));
            write.setObject(3, node);
            write.executeUpdate();
        }
    }
}
