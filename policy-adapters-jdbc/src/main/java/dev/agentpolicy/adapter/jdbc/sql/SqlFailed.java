package dev.agentpolicy.adapter.jdbc.sql;

import java.io.Serial;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Carries a failed statement through code that knows nothing of databases. */
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

    /** What the database said, somewhere among the causes; null when it was not the database. */
    static @Nullable SQLException in(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
