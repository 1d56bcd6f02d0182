package dev.agentpolicy.adapter.jdbc.connect;

import java.io.Serial;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Carries an {@link SQLException} through code that cannot declare it. */
public final class SqlFailed extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final SQLException failed;

    public SqlFailed(SQLException failed) {
        super(failed);
        this.failed = failed;
    }

    public SQLException failed() {
        return failed;
    }

    /** The first {@link SQLException} among the causes, or null. */
    public static @Nullable SQLException in(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
