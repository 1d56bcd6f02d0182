package dev.agentpolicy.adapter.jdbc.sql;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.Set;

/** What a failed statement means for whoever sent it. */
public enum SqlFailure {
    /** The database is not there; it may come back. */
    AWAY,
    /** Somebody was faster or held a lock for too long; the same may succeed when tried again. */
    CONFLICT,
    /** The database will not take it, however often it is tried. */
    REFUSED;

    private static final Set<String> AWAY_CLASSES = Set.of("08", "53", "57", "58");
    private static final Set<Integer> H2_AWAY = Set.of(90007, 90020, 90028, 90031, 90067, 90098, 90121);
    /** Of H2, "general error": its file could not be written or read when that is the cause. */
    private static final int H2_GENERAL = 50000;

    /** Bad data, broken rules, a state or a lock in the way, conflicts, bad statements, limits. */
    private static final Set<String> BEFORE_COMMIT = Set.of("22", "23", "25", "40", "42", "54", "55");

    /** H2 makes circles of causes. */
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

    /** Whether a row with the same key exists. */
    public static boolean isTaken(SQLException failed) {
        return TAKEN.equals(failed.getSQLState());
    }

    /** Whether somebody held a lock of PostgreSQL for longer than is waited for. */
    public static boolean isLocked(SQLException failed) {
        return LOCKED.equals(failed.getSQLState());
    }

    /** Whether the role lacks a right; of PostgreSQL. */
    public static boolean isForbidden(SQLException failed) {
        return FORBIDDEN.equals(failed.getSQLState());
    }

    /** Whether a COMMIT that failed like this, alone or behind statements, may have been carried out all the same. */
    public static boolean leavesCommitUnknown(SQLException failed) {
        String state = Objects.requireNonNullElse(failed.getSQLState(), "");
        return state.length() < 2 || !BEFORE_COMMIT.contains(state.substring(0, 2));
    }
}
