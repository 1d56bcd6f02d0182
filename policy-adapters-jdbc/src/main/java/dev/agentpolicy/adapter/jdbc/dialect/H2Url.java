package dev.agentpolicy.adapter.jdbc.dialect;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The JDBC URL of an H2 database, and the file that it names. */
record H2Url(String url) {
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
                        "The database URL sets WRITE_DELAY=" + delay.group(1) + ", so a crash would lose signed events"
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
            throw new UnusableDatabase("The folder " + folder + " of the database cannot be made: " + failed, failed);
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
