package dev.agentpolicy.adapter.jdbc.connect;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.Set;

/** Classifies failed statements by what the caller can do. */
public enum SqlFailure {
    /** The database cannot be reached; it may come back. */
    AWAY,
    /** Lost a race or timed out on a lock; can be retried. */
    CONFLICT,
    /** The database does not accept it; retrying cannot help. */
    REFUSED;

    private static final Set<String> AWAY_CLASSES = Set.of("08", "53", "57", "58");
    private static final Set<Integer> H2_AWAY = Set.of(90007, 90020, 90028, 90031, 90067, 90098, 90121);
    /** H2's "general error". With an I/O error as its cause the file could not be read or written. */
    private static final int H2_GENERAL = 50000;

    /** Classes of errors before the commit: data, constraints, transaction state, conflicts, syntax, limits, locks. */
    private static final Set<String> BEFORE_COMMIT = Set.of("22", "23", "25", "40", "42", "54", "55");

    /** The causes of an exception of H2 can be circular. */
    private static final int MAX_CAUSES = 16;

    private static final String FORBIDDEN = "42501";
    private static final String LOCKED = "55P03";

    private static final String TAKEN = "23505";
    private static final Set<String> CONFLICTS =
            Set.of("40001", "40P01", LOCKED, "57014", TAKEN, "HYT00", "90131", "25006", "25P03");

    public static SqlFailure of(SQLException failed) {
        String state = Objects.requireNonNullElse(failed.getSQLState(), "");
        if (CONFLICTS.contains(state)) {
            return CONFLICT;
        }
        boolean isAway = failed instanceof SQLTransientConnectionException
                || failed instanceof SQLNonTransientConnectionException
                || failed instanceof SQLRecoverableException
                || state.length() > 1 && AWAY_CLASSES.contains(state.substring(0, 2))
                || H2_AWAY.contains(failed.getErrorCode())
                || failed.getErrorCode() == H2_GENERAL && isCausedByFile(failed);
        return isAway ? AWAY : REFUSED;
    }

    private static boolean isCausedByFile(SQLException failed) {
        Throwable cause = failed.getCause();
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++, cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    /** Whether the same statement may succeed later: the database is away, or a lock or the time ran out. */
    public static boolean isPassing(SQLException failed) {
        SqlFailure failure = of(failed);
        return failure == AWAY || failure == CONFLICT && !isTaken(failed);
    }

    /** Whether a row with the same key exists. */
    public static boolean isTaken(SQLException failed) {
        return TAKEN.equals(failed.getSQLState());
    }

    /** Whether a wait for a lock timed out; on PostgreSQL. */
    public static boolean isLocked(SQLException failed) {
        return LOCKED.equals(failed.getSQLState());
    }

    /** Whether the role lacks a right; on PostgreSQL. */
    public static boolean isForbidden(SQLException failed) {
        return FORBIDDEN.equals(failed.getSQLState());
    }

    /** Whether a COMMIT that failed like this, alone or after statements, may have been executed. */
    public static boolean leavesCommitUnknown(SQLException failed) {
        String state = Objects.requireNonNullElse(failed.getSQLState(), "");
        return state.length() < 2 || !BEFORE_COMMIT.contains(state.substring(0, 2));
    }
}
