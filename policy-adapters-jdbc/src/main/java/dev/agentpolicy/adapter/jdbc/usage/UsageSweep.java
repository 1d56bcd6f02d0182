package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** Deletes days that are too old for any report. Every node may run it. */
public record UsageSweep(Transactions transactions) {
    public static final int DAYS_KEPT = 35;

    /**
     * Deletes all but the last {@link #DAYS_KEPT} days, today included.
     *
     * @return how many rows were deleted
     */
    int keepUpTo(LocalDate today) {
        LocalDate oldest = today.minusDays(DAYS_KEPT - 1L);
        return transactions.inOne(connection -> {
            int removed = 0;
            for (String table : List.of("usage_path", "usage_key", "usage_day")) {
                removed += delete(connection, "DELETE FROM " + table + " WHERE call_day < ?", oldest);
            }
            delete(
                    connection,
                    "DELETE FROM usage_flush WHERE flushed_at < ?",
                    Timestamps.column(oldest.atStartOfDay(ZoneOffset.UTC).toInstant()));
            return removed;
        });
    }

    private static int delete(Connection connection, String sql, Object before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, before);
            return statement.executeUpdate();
        }
    }
}
