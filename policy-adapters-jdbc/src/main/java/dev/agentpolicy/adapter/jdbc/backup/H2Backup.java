package dev.agentpolicy.adapter.jdbc.backup;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.dialect.H2Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.engine.Constants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies an H2 database into a new file (docs/operations.md, Backup). The process that has the database open exports a
 * consistent script; the copy is created from the script. So it contains committed rows only, and no old pages.
 */
public final class H2Backup {
    private static final Logger LOG = LoggerFactory.getLogger(H2Backup.class);

    private static final String ENDING = ".mv.db";

    private static final String COPY = "copy";
    private static final long MEGABYTE = 1024 * 1024;

    private final DatabaseConfig config;
    private final Path database;

    private H2Backup(DatabaseConfig config, Path database) {
        this.config = config;
        this.database = database;
    }

    /**
     * Prepares a backup of the database of a service.
     *
     * @throws BackupFailed when it is not an H2 file
     */
    public static H2Backup of(DatabaseConfig config) {
        Path database = databaseOf(config.url())
                .orElseThrow(() -> new BackupFailed(
                        "Only an H2 file can be copied this way. On PostgreSQL use pg_dump, or archive the WAL.",
                        null));
        return new H2Backup(config, database);
    }

    /** The path of an H2 database without the file ending; empty when the URL names no file. */
    public static Optional<Path> databaseOf(String url) {
        return url.startsWith(H2Dialect.PREFIX) ? Optional.ofNullable(H2Dialect.pathOf(url)) : Optional.empty();
    }

    /** Refuses an H2 URL whose file does not exist: opening it would create an empty database. */
    public static void requireExists(String url) {
        databaseOf(url)
                .map(H2Backup::fileOf)
                .filter(file -> !Files.exists(file))
                .ifPresent(file -> {
                    throw new UnusableDatabase(
                            "There is no database " + file + ". Does POLICY_DB_URL name the right one?", null);
                });
    }

    /**
     * What a copy contains.
     *
     * @param accounts number of accounts
     * @param events number of rows in all chains
     */
    public record Contents(long accounts, long events) {}

    /**
     * Copies the database.
     *
     * @param target must not exist; it appears complete and with mode 0600, or not at all
     * @param running asks a running service to export its database to a file; returns false when no service runs
     * @throws BackupFailed when no copy was made; the message says what to do
     */
    public Contents write(Path target, Predicate<Path> running) {
        requireExists(config.url());
        Path directory = directoryOf(target);
        requireSpace(directory);
        Path work = workIn(directory);
        try {
            Path script = work.resolve("script.sql");
            if (!running.test(script)) {
                exportStopped(script);
            }
            Contents contents = load(script, work.resolve(COPY));
            publish(fileOf(work.resolve(COPY)), target, directory);
            return contents;
        } catch (SQLException | IOException failed) {
            throw failed(target, failed);
        } finally {
            removeAll(work);
        }
    }

    /**
     * Exports a database to a script, as of the moment this method is called. Other connections do not wait for it.
     *
     * @param connection its transaction is rolled back, and its isolation level is changed
     * @param script must not exist
     */
    public static void export(Connection connection, Path script) {
        if (Files.exists(script, LinkOption.NOFOLLOW_LINKS)) {
            throw new BackupFailed("The file " + script + " exists already.", null);
        }
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Constants.TRANSACTION_SNAPSHOT);
            // The first statement of the transaction takes the snapshot.
            statement.execute("SELECT 1 FROM account LIMIT 1");
            statement.execute("SCRIPT NOSETTINGS TO " + quoted(script));
            connection.rollback();
        } catch (SQLException failed) {
            throw failed(script, failed);
        }
    }

    private void exportStopped(Path script) throws SQLException {
        String url = new H2Dialect(config.url()).url(config.url()) + ";IFEXISTS=TRUE";
        try (Connection connection = DriverManager.getConnection(url, config.user(), config.password())) {
            export(connection, script);
        } catch (SQLException failed) {
            if (failed.getErrorCode() == H2Dialect.ALREADY_OPEN) {
                throw new BackupFailed(
                        "The H2 file is open in a process that has no control socket; stop it first.", failed);
            }
            throw failed;
        }
    }

    private Contents load(Path script, Path copy) throws SQLException {
        try (Connection connection = DriverManager.getConnection(urlOf(copy), config.user(), config.password());
                Statement statement = connection.createStatement()) {
            statement.execute("RUNSCRIPT FROM " + quoted(script));
            Contents contents = new Contents(count(connection, "account"), count(connection, "policy_event"));
            statement.execute("SHUTDOWN COMPACT");
            return contents;
        }
    }

    private static long count(Connection connection, String table) throws SQLException {
        return Reads.list(connection, "SELECT count(*) FROM " + table, row -> row.getLong(1))
                .get(0);
    }

    /** Keeps the settings of the original URL, such as encryption. */
    private String urlOf(Path copy) {
        List<String> settings = List.of(config.url().split(";"));
        return settings.stream()
                .skip(1)
                .filter(setting ->
                        !setting.toUpperCase(Locale.ROOT).matches("(IFEXISTS|AUTO_SERVER|ACCESS_MODE_DATA)=.*"))
                .collect(Collectors.joining(";", H2Dialect.PREFIX + "file:" + copy.toAbsolutePath() + ";", ""));
    }

    private static Path directoryOf(Path target) {
        Path directory = target.toAbsolutePath().getParent();
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new BackupFailed(
                    "The file " + target + " exists already and is not overwritten. Name another file.", null);
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new BackupFailed("The directory of " + target + " does not exist; create it first.", null);
        }
        return directory;
    }

    /** An H2 file is usually several times as large as its contents, so script and copy together rarely need more space. */
    private void requireSpace(Path directory) {
        try {
            long needed = Files.size(fileOf(database)) / MEGABYTE;
            long free = Files.getFileStore(directory).getUsableSpace() / MEGABYTE;
            if (free < needed) {
                throw new BackupFailed(
                        "The database takes " + needed + " MB, but " + directory + " has only " + free
                                + " MB free. Name a file on another volume.",
                        null);
            }
        } catch (IOException failed) {
            throw failed(directory, failed);
        }
    }

    private static Path workIn(Path directory) {
        try {
            return Files.createTempDirectory(directory, ".policy-backup-");
        } catch (IOException failed) {
            throw failed(directory, failed);
        }
    }

    private static void publish(Path copy, Path target, Path directory) throws IOException {
        if (OwnerOnlyFiles.isPosix(copy)) {
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
        }
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        OwnerOnlyFiles.publish(copy, target);
        OwnerOnlyFiles.syncNames(directory);
    }

    /** Adds the file ending to the path of a database. */
    public static Path fileOf(Path database) {
        return database.resolveSibling(database.getFileName() + ENDING);
    }

    private static String quoted(Path file) {
        return "'" + file.toAbsolutePath().toString().replace("'", "''") + "'";
    }

    /** The root cause has the useful message, such as "No space left on device". */
    private static BackupFailed failed(Path where, Exception failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new BackupFailed("The backup was not written: " + where + ": " + cause.getMessage(), failed);
    }

    private static void removeAll(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException left) {
            LOG.warn("The directory {} could not be removed; remove it by hand", directory, left);
        }
    }

    /** A backup failed and left no file behind. The message says why, and what to do. */
    public static final class BackupFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BackupFailed(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
