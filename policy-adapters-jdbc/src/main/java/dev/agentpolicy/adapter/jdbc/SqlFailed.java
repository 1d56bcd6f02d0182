package dev.agentpolicy.adapter.jdbc;

import java.io.Serial;
import java.sql.SQLException;

/** Carries a failed statement through code that knows nothing of databases. */
final class SqlFailed extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final SQLException failed;

    SqlFailed(SQLException failed) {
        super(failed);
        this.failed = failed;
    }

    SQLException failed() {
        return failed;
    }
}
