package dev.agentpolicy.adapter.jdbc.dialect;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/** H2 in this JVM, with a file that only one process can open. */
public final class H2Dialect extends Dialect {
    public static final String PREFIX = H2Url.PREFIX;
    public static final int ALREADY_OPEN = 90020;

    private final WriteLock writeLock;
    private final H2File file;
    private final H2Url location;
    private boolean isFlushed;

    public H2Dialect(String url) {
        this(url, new H2File());
    }

    public H2Dialect(String url, H2File file) {
        this.file = file;
        location = new H2Url(url);
        writeLock = WriteLock.exclusive(location.database());
    }

    /** The file of a database without its ending; null if it has no file of its own. */
    public static @Nullable Path pathOf(String url) {
        return new H2Url(url).path();
    }

    @Override
    public String url(String url) {
        return new H2Url(url).prepared();
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public String initialSql() {
        return "SET LOCK_TIMEOUT 2000";
    }

    @Override
    public String initialSqlOfLanes() {
        return initialSql();
    }

    @Override
    public void requireDurable(Connection connection) throws SQLException {
        H2File.protect(connection);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT IS_ADMIN FROM INFORMATION_SCHEMA.USERS WHERE USER_NAME = CURRENT_USER")) {
            isFlushed = row.next() && row.getBoolean(1);
        }
    }

    @Override
    @Nullable
    public String tellingTime() {
        return null;
    }

    /** The service is the only user of its file. */
    @Override
    public void warnOfExcessRights(Connection connection) {}

    @Override
    public boolean mayErase(Connection connection) {
        return true;
    }

    @Override
    public String unreachable(SQLException failed) {
        if (failed.getErrorCode() == ALREADY_OPEN) {
            return "The H2 database file is open in another process; stop that process, or give this one a file of its"
                    + " own. Several nodes need PostgreSQL.";
        }
        return damage(failed)
                .orElse("The H2 database cannot be opened; check POLICY_DB_URL, POLICY_DB_USER and POLICY_DB_PASSWORD: "
                        + failed.getMessage());
    }

    @Override
    public Optional<String> damage(SQLException failed) {
        return location.path() == null || !H2Url.isDamage(failed)
                ? Optional.empty()
                : Optional.of("The H2 database file " + location.path()
                        + ".mv.db is damaged. Keep a copy of it, then restore a backup." + " H2 says: "
                        + failed.getMessage());
    }

    @Override
    public String oftenUpdated() {
        return "";
    }

    /** H2 has no partial indexes. */
    @Override
    public String indexOfErased() {
        return "SELECT 1";
    }

    @Override
    public String indexedWhere(String condition) {
        return "";
    }

    @Override
    String replacing(Table table) {
        return "MERGE INTO " + table.sqlName() + "(" + table.names() + ") KEY(" + list(table.keyColumns()) + ") "
                + rowsOf(table.columns());
    }

    @Override
    String rowsOf(List<Table.Column> columns) {
        return columns.stream()
                .map(Table.Column::parameter)
                .collect(Collectors.joining(", ", "SELECT * FROM unnest(", ") AS v(" + list(columns) + ")"));
    }

    @Override
    public String tails() {
        return "policy_event e ON e.user_id = a.user_id AND e.seq > a.chain_seq";
    }

    @Override
    public String creatingAccounts() {
        return "MERGE INTO account(user_id) KEY(user_id) SELECT * FROM unnest(CAST(? AS uuid ARRAY)) AS v(user_id)";
    }

    @Override
    public String lockingDailyCalls() {
        return "SELECT user_id, agent_key_id, calls FROM FINAL TABLE (MERGE INTO daily_call t USING (SELECT * FROM"
                + " unnest(CAST(? AS uuid ARRAY), CAST(? AS uuid ARRAY), CAST(? AS date ARRAY)) AS n(u, k, d)) AS v"
                + " ON t.user_id = v.u AND t.agent_key_id = v.k AND t.call_day = v.d"
                + " WHEN MATCHED THEN UPDATE SET calls = t.calls"
                + " WHEN NOT MATCHED THEN INSERT (user_id, agent_key_id, call_day, calls) VALUES (v.u, v.k, v.d, 0))";
    }

    @Override
    public String countingDailyCall() {
        return "SELECT calls FROM FINAL TABLE (MERGE INTO daily_call t USING (SELECT CAST(? AS uuid) AS u,"
                + " CAST(? AS uuid) AS k, CAST(? AS date) AS d, CAST(? AS bigint) AS cap) AS v"
                + " ON t.user_id = v.u AND t.agent_key_id = v.k AND t.call_day = v.d"
                + " WHEN MATCHED AND t.calls < v.cap THEN UPDATE SET calls = t.calls + 1"
                + " WHEN NOT MATCHED THEN INSERT (user_id, agent_key_id, call_day, calls) VALUES (v.u, v.k, v.d, 1))";
    }

    @Override
    public String drawingIds() {
        return "SELECT NEXT VALUE FOR service_request_id FROM SYSTEM_RANGE(1, ?)";
    }

    /** It runs in this process, so there are no round trips to save. */
    @Override
    public boolean takesManyAtOnce() {
        return false;
    }

    @Override
    public int lockedTogether() {
        return 1;
    }

    /** There is one writer at a time; more lanes would only sync the file more often. */
    @Override
    public int defaultLanes() {
        return 1;
    }

    @Override
    public WriteLock writeLock() {
        return writeLock;
    }

    @Override
    public Optional<Path> directory() {
        return Optional.ofNullable(location.path()).map(Path::getParent);
    }

    @Override
    @Nullable
    public Object database(Connection connection) throws SQLException {
        return H2File.find(connection).orElse(null);
    }

    @Override
    public boolean isOpen(Object database) {
        return H2File.isOpen((MVStore) database);
    }

    @Override
    public void flush(Connection connection) throws SQLException {
        if (isFlushed) {
            file.tidy(connection);
            // Not through the pool, which would roll back afterwards; H2 drops its plans on every rollback.
            try (Statement statement = connection.unwrap(Connection.class).createStatement()) {
                statement.execute("CHECKPOINT SYNC");
            }
        }
    }
}
