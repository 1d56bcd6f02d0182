package dev.agentpolicy.adapter.jdbc.dialect;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
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
        isFlushed = column(connection, "SELECT IS_ADMIN FROM INFORMATION_SCHEMA.USERS WHERE USER_NAME = CURRENT_USER")
                .contains("TRUE");
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
        return "MERGE INTO " + table.sqlName() + "(" + list(table.columns()) + ") KEY(" + list(table.keyColumns())
                + ") " + rowsOf(table.columns());
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

    /** The JDBC URL of an H2 database, and the file that it names. */
    private record H2Url(String url) {
        static final String PREFIX = "jdbc:h2:";
        private static final Pattern WRITE_DELAY = Pattern.compile(";WRITE_DELAY=([^;]*)", Pattern.CASE_INSENSITIVE);
        /** The scheme of a database without a file of its own. A single letter is a drive. */
        private static final Pattern SCHEME = Pattern.compile("[A-Za-z0-9]{2,}:.*");
        /** Error codes of H2 for a file with missing or malformed contents: corrupted, two of I/O, general error. */
        private static final Set<Integer> DAMAGED = Set.of(90030, 90028, 90031, 50000);
        /** The causes of an exception of H2 can be circular. */
        private static final int MAX_CAUSES = 16;

        /** What stands for the database in this process: its file, or the URL without prefix and settings. */
        String database() {
            Path path = path();
            return path == null ? location() : path.toString();
        }

        private String location() {
            int settings = url.indexOf(';');
            return url.substring(PREFIX.length(), settings < 0 ? url.length() : settings);
        }

        /** The file without its ending, however the URL names it; null if the database has no file of its own. */
        @Nullable
        Path path() {
            String location = location();
            String name = location.startsWith("file:") ? location.substring("file:".length()) : location;
            if (SCHEME.matcher(name).matches()) {
                return null;
            }
            boolean isAtHome = name.startsWith("~/") || name.startsWith("~\\");
            Path path = isAtHome ? Path.of(System.getProperty("user.home"), name.substring(2)) : Path.of(name);
            return path.toAbsolutePath().normalize();
        }

        /**
         * The URL with the settings that make the database durable. Creates the folder and the file, readable by their owner
         * only.
         *
         * @throws UnusableDatabase if the URL asks for less durability, or the folder cannot be created
         */
        String prepared() {
            String durable = url;
            if (!url.startsWith(PREFIX + "mem:")) {
                Matcher delay = WRITE_DELAY.matcher(url);
                if (!delay.find()) {
                    durable += ";WRITE_DELAY=0";
                } else if (!delay.group(1).trim().equals("0")) {
                    throw new UnusableDatabase(
                            "The database URL sets WRITE_DELAY=" + delay.group(1)
                                    + ", so a crash would lose signed events"
                                    + " that were acknowledged and fork their chains. Leave it out or set WRITE_DELAY=0.",
                            null);
                }
            } else {
                durable = completed(durable, "DB_CLOSE_DELAY", "-1");
            }
            prepareFiles();
            // A trace file would contain values of statements, and grow on a full disk; errors are in the log of the
            // service.
            durable = completed(durable, "TRACE_LEVEL_FILE", "0");
            // Its own shutdown hook would close the file while the last accepted calls are still being answered.
            durable = completed(durable, "DB_CLOSE_ON_EXIT", "FALSE");
            // While H2 compacts the file on closing, it overwrites chunks before their new places are recorded.
            durable = completed(durable, "MAX_COMPACT_TIME", "0");
            // In milliseconds; the default of 45 s leaves free space unused for longer than needed.
            durable = completed(durable, "RETENTION_TIME", "5000");
            // In kilobytes; the default of 64 for each megabyte of heap would let pages that are rewritten all the time
            // age.
            durable = completed(durable, "CACHE_SIZE", "2048");
            // H2 would answer a query again with its last rows, for a moment after a commit or until the next one,
            // since it
            // compares when the tables changed without a lock.
            durable = completed(durable, "OPTIMIZE_REUSE_RESULTS", "0");
            return completed(durable, "QUERY_CACHE_SIZE", "64");
        }

        private String completed(String url, String setting, String value) {
            return isSet(setting) ? url : url + ";" + setting + "=" + value;
        }

        private boolean isSet(String setting) {
            return url.toUpperCase(Locale.ROOT).contains(";" + setting + "=");
        }

        /** H2 would create files that others can read; files that it has created before are restricted. */
        private void prepareFiles() {
            Path path = path();
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
                if (!isSet("IFEXISTS")) {
                    OwnerOnlyFiles.createIfAbsent(data);
                }
                if (isSet("TRACE_LEVEL_FILE")) {
                    OwnerOnlyFiles.createIfAbsent(trace);
                }
            } catch (IOException failed) {
                throw new UnusableDatabase(
                        "The folder " + folder + " of the database cannot be made: " + failed, failed);
            }
        }

        /**
         * Whether a failure shows that the contents of the file are damaged, and not that the system could not read or write it.
         */
        static boolean isDamage(SQLException failed) {
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
    }

    /**
     * Compacts the file of H2 while it is open. Every commit adds a chunk to the file. Soon only a page or two of a chunk are in
     * use, but it keeps its place in the file and its description in memory until none is. So pages in use are moved out of old
     * chunks. The thread that H2 has for this would also write half of a transaction under way (see {@link WriteLock}), so
     * every commit does a little of it instead.
     */
    public static final class H2File {
        /**
         * How many commits a chunk that is no longer in use is kept. H2 finds the last commit from a header that it may
         * write once in 20 commits, and takes an older commit for the last if a chunk on the way is gone.
         */
        private static final int VERSIONS_KEPT = 25;

        private static final int DEFAULT_COMMITS = 128;
        /** How much is moved at a time. */
        private static final int BYTES = 256 * 1024;
        /** With twice as many chunks four times as much is moved, and so on; a chunk takes some 300 bytes of memory. */
        private static final int MANY = 16_384;

        private static final int MAX_TIMES = 4;
        /** How often it compacts until it counts the chunks again, which reads each several times. */
        private static final int COUNTED_EVERY = 16;

        /** The fill rate in percent at which there is nothing to compact. */
        private static final int ALL = 100;

        private final int every;
        private int commits;
        private int times = 1;

        public H2File() {
            this(DEFAULT_COMMITS);
        }

        /** Compacts every so many commits. */
        public H2File(int every) {
            this.every = every;
        }

        /** Must be called before anything is changed, and again after the database may have been closed. */
        static void protect(Connection connection) throws SQLException {
            find(connection).ifPresent(H2File::protect);
        }

        private static void protect(MVStore store) {
            store.setVersionsToKeep(VERSIONS_KEPT);
        }

        /** Must be called after every commit, under the write lock, before the file is synced. */
        void tidy(Connection connection) throws SQLException {
            commits++;
            find(connection).ifPresent(store -> {
                protect(store);
                if (commits % every == 0) {
                    write(store);
                }
            });
        }

        private void write(MVStore store) {
            if (commits / every % COUNTED_EVERY == 0) {
                times = Math.min(MAX_TIMES, Math.max(1, parts(store) / MANY));
            }
            store.compact(ALL, BYTES * times * times);
        }

        /** Whether the file is open; a write that fails closes it for all connections. */
        static boolean isOpen(MVStore store) {
            return store.getPanicException() == null && !store.isClosed();
        }

        private static int parts(MVStore store) {
            Map<String, String> info = new HashMap<>();
            store.populateInfo(info::put);
            return Integer.parseInt(info.getOrDefault("info.CHUNK_COUNT", "0"));
        }

        /** Empty if another process has the file, or the database is in memory. */
        static Optional<MVStore> find(Connection connection) throws SQLException {
            return connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session
                    ? Optional.of(session.getDatabase().getStore().getMvStore()).filter(MVStore::isPersistent)
                    : Optional.empty();
        }
    }
}
