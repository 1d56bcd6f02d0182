package dev.agentpolicy.adapter.jdbc.usage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Rows of one table on their way: those that are there are updated together, the others inserted together. */
final class UsageMerge implements AutoCloseable {
    private final PreparedStatement update;
    private final PreparedStatement insert;
    private int updates;
    private int inserts;

    /** Both statements take the same parameters in the same order. */
    UsageMerge(Connection connection, String update, String insert) throws SQLException {
        this.update = connection.prepareStatement(update);
        this.insert = connection.prepareStatement(insert);
    }

    void write(boolean isThere, Object... values) throws SQLException {
        PreparedStatement statement = isThere ? update : insert;
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        statement.addBatch();
        updates += isThere ? 1 : 0;
        inserts += isThere ? 0 : 1;
    }

    /** Sends what was not sent. */
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
