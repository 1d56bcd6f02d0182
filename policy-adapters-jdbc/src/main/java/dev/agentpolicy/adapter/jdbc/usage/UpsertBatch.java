package dev.agentpolicy.adapter.jdbc.usage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Rows of one table, sent as one batch of updates and one batch of inserts. */
final class UpsertBatch implements AutoCloseable {
    private final PreparedStatement update;
    private final PreparedStatement insert;
    private int updates;
    private int inserts;

    /** Prepares both statements, which take the same parameters in the same order. */
    UpsertBatch(Connection connection, String update, String insert) throws SQLException {
        this.update = connection.prepareStatement(update);
        this.insert = connection.prepareStatement(insert);
    }

    void write(boolean exists, Object... values) throws SQLException {
        PreparedStatement statement = exists ? update : insert;
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        statement.addBatch();
        updates += exists ? 1 : 0;
        inserts += exists ? 0 : 1;
    }

    /** Executes both batches. */
    void send() throws SQLException {
        if (updates > 0) {
            update.executeBatch();
        }
        if (inserts > 0) {
            insert.executeBatch();
        }
    }

    @Override
    public void close() throws SQLException {
        update.close();
        insert.close();
    }
}
