package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * Draws ids for the requests of one batch, several at a time. They are drawn while the accounts are locked, so that of one
 * user's requests the later one has the higher id, whichever node created it.
 */
final class RequestIds implements LongSupplier {
    private static final int MAX_AT_ONCE = 64;

    private final Connection connection;
    private final Dialect dialect;
    private final Queue<Long> drawn = new ArrayDeque<>();
    private int next = 1;

    RequestIds(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    @Override
    public long getAsLong() {
        if (drawn.isEmpty()) {
            try {
                drawn.addAll(Reads.list(connection, dialect.drawingIds(), row -> row.getLong(1), next));
            } catch (SQLException failed) {
                throw new SqlFailed(failed);
            }
            next = Math.min(2 * next, MAX_AT_ONCE);
        }
        return drawn.remove();
    }
}
