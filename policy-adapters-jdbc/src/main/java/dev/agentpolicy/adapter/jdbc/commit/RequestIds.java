package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.SqlFailed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * Draws ids for the requests of one batch, some at a time. They are drawn while the accounts are locked, or for a batch that
 * is not committed when anybody else changed them, so that of one user's requests the later one has the higher id, whichever
 * node made it.
 */
final class RequestIds implements LongSupplier {
    private static final int MAX_AT_ONCE = 64;

    private final Connection connection;
    private final String drawing;
    private final Queue<Long> drawn = new ArrayDeque<>();
    private int next = 1;

    RequestIds(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.drawing = dialect.drawingIds();
    }

    @Override
    public long getAsLong() {
        if (drawn.isEmpty()) {
            try {
                draw();
            } catch (SQLException failed) {
                throw new SqlFailed(failed);
            }
        }
        return drawn.remove();
    }

    private void draw() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(drawing)) {
            statement.setInt(1, next);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    drawn.add(row.getLong(1));
                }
            }
        }
        next = Math.min(2 * next, MAX_AT_ONCE);
    }
}
