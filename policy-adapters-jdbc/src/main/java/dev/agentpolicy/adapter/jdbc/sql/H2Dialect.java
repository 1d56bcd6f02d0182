package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/** H2 in this JVM, kept in a file; only one process can have the file open. */
public final class H2Dialect extends Dialect {
    public static final String PREFIX = "jdbc:h2:";
    private static final Pattern WRITE_DELAY = Pattern.compile(";WRITE_DELAY=([^;]*)", Pattern.CASE_INSENSITIVE);
    /** Of what is no file of its own; a single letter is a drive. */
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z0-9]{2,}:.*");

    public static final int ALREADY_OPEN = 90020;
    /** What H2 says of a file with missing or strange contents: corrupted, two of "IO exception", "general error". */
    private static final Set<Integer> DAMAGED = Set.of(90030, 90028, 90031, 50000);
    /** H2 makes circles of causes. */
    private static final int MAX_CAUSES = 16;

    private final WriteLock turns;
    private final H2File file;
    private final @Nullable Path path;
    private boolean isFlushed;

    public H2Dialect(String url) {
        this(url, new H2File());
    }

    public H2Dialect(String url, H2File file) {
        this.file = file;
        path = pathOf(url);
        turns = WriteLock.oneByOne(path == null ? locationOf(url) : path.toString());
    }

    /** The URL without settings and what all URLs of H2 begin with. */
    private static String locationOf(String url) {
        int settings = url.indexOf(';');
        return url.substring(PREFIX.length(), settings < 0 ? url.length() : settings);
    }

    /** The file without its ending, however the URL names it; null when the database has no file of its own. */
    public static @Nullable Path pathOf(String url) {
        String location = locationOf(url);
        String name = location.startsWith("file:") ? location.substring("file:".length()) : location;
        if (SCHEME.matcher(name).matches()) {
            return null;
        }
        boolean isAtHome = name.startsWith("~/") || name.startsWith("~\\");
        Path path = isAtHome ? Path.of(System.getProperty("user.home"), name.substring(2)) : Path.of(name);
        return path.toAbsolutePath().normalize();
    }

    @Override
    public String url(String url) {
        String durable = url;
        if (!url.startsWith(PREFIX + "mem:")) {
            Matcher delay = WRITE_DELAY.matcher(url);
            if (!delay.find()) {
                durable += ";WRITE_DELAY=0";
            } else if (!delay.group(1).trim().equals("0")) {
                throw new UnusableDatabase(
                        "The database URL sets WRITE_DELAY=" + delay.group(1) + ", so a crash would lose signed events"
                                + " that were acknowledged and fork their chains. Leave it out or set WRITE_DELAY=0.",
                        null);
            }
        } else {
            durable = completed(durable, "DB_CLOSE_DELAY", "-1");
        }
        prepareFiles(url);
        // It would hold values of statements, and grow on a disk that is full; what goes wrong is in the service's log.
        durable = completed(durable, "TRACE_LEVEL_FILE", "0");
        // Its own shutdown hook would close the file while the last accepted calls are still being answered.
        durable = completed(durable, "DB_CLOSE_ON_EXIT", "FALSE");
        // When it compacts the file at its end, it writes over what it has moved before it has noted where to.
        durable = completed(durable, "MAX_COMPACT_TIME", "0");
        // In milliseconds; it would leave what is free unused for 45 s, until the disk has surely taken what came
        // instead.
        durable = completed(durable, "RETENTION_TIME", "5000");
        // In kilobytes; it would take 64 for each megabyte of heap, where pages that are written all the time grow old.
        durable = completed(durable, "CACHE_SIZE", "2048");
        return completed(durable, "QUERY_CACHE_SIZE", "64");
    }

    @Override
    Map<String, String> properties() {
        return Map.of();
    }

    @Override
    String greeting() {
        return "SET LOCK_TIMEOUT 2000";
    }

    @Override
    String greetingOfLanes() {
        return greeting();
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
    String unreachable(SQLException failed) {
        if (failed.getErrorCode() == ALREADY_OPEN) {
            return "The H2 database file is open in another process; stop that process, or give this one a file of its"
                    + " own. Several nodes need PostgreSQL.";
        }
        return damage(failed)
                .orElse("The H2 database cannot be opened; check POLICY_DB_URL, POLICY_DB_USER and POLICY_DB_PASSWORD: "
                        + failed.getMessage());
    }

    @Override
    Optional<String> damage(SQLException failed) {
        return path == null || !isDamaged(failed)
                ? Optional.empty()
                : Optional.of(
                        "The H2 database file " + path + ".mv.db is damaged. Keep a copy of it, then restore a backup."
                                + " H2 says: " + failed.getMessage());
    }

    /** Whether H2 met something in the file that it did not write so; not when the system refused to read or write it. */
    private static boolean isDamaged(SQLException failed) {
        if (!DAMAGED.contains(failed.getErrorCode())) {
            return false;
        }
        Throwable cause = failed;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++, cause = cause.getCause()) {
            if (cause instanceof IOException && !(cause instanceof EOFException)) {
                return false;
            }
        }
        return true;
    }

    @Override
    String oftenUpdated() {
        return "";
    }

    /** H2 has no index of some of the rows; it finds them among those of a page. */
    @Override
    String indexOfErased() {
        return "SELECT 1";
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

    /** There is no way to go: it runs in this process. */
    @Override
    public boolean takesManyAtOnce() {
        return false;
    }

    @Override
    public int lockedTogether() {
        return 1;
    }

    /** One file, one writer: more lanes would only flush it more often. */
    @Override
    int usualLanes() {
        return 1;
    }

    @Override
    public WriteLock turns() {
        return turns;
    }

    @Override
    public Optional<Path> directory() {
        return Optional.ofNullable(path).map(Path::getParent);
    }

    @Override
    @Nullable
    Object database(Connection connection) throws SQLException {
        return H2File.find(connection).orElse(null);
    }

    @Override
    boolean isOpen(Object database) {
        return H2File.isOpen((MVStore) database);
    }

    @Override
    public void flush(Connection connection) throws SQLException {
        if (isFlushed) {
            file.tidy(connection);
            // Past the pool, which would take it for something to roll back; H2 forgets its plans at every rollback.
            try (Statement statement = connection.unwrap(Connection.class).createStatement()) {
                statement.execute("CHECKPOINT SYNC");
            }
        }
    }

    private static String completed(String url, String setting, String value) {
        return isSet(url, setting) ? url : url + ";" + setting + "=" + value;
    }

    private static boolean isSet(String url, String setting) {
        return url.toUpperCase(Locale.ROOT).contains(";" + setting + "=");
    }

    /** Makes the folder and the file before H2 does, which would let others read them, and closes those it made before. */
    private void prepareFiles(String url) {
        Path folder = path == null ? null : path.getParent();
        if (path == null || folder == null) {
            return;
        }
        String name = path.getFileName().toString();
        Path data = folder.resolve(name + ".mv.db");
        Path trace = folder.resolve(name + ".trace.db");
        try {
            if (Files.exists(data)) {
                OwnerOnlyFiles.restrict(data);
                OwnerOnlyFiles.restrict(trace);
                OwnerOnlyFiles.restrictDirectory(
                        folder, file -> file.equals(data) || file.equals(trace) || !OwnerOnlyFiles.isLoose(file));
                return;
            }
            OwnerOnlyFiles.createDirectories(folder);
            if (!isSet(url, "IFEXISTS")) {
                OwnerOnlyFiles.createIfAbsent(data);
            }
            if (isSet(url, "TRACE_LEVEL_FILE")) {
                OwnerOnlyFiles.createIfAbsent(trace);
            }
        } catch (IOException failed) {
            throw new UnusableDatabase("The folder " + folder + " of the database cannot be made: " + failed, failed);
        }
    }
}
