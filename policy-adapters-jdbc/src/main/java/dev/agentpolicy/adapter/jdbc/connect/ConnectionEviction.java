package dev.agentpolicy.adapter.jdbc.connect;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Says after which failures a connection is closed. The coordinator of a cluster reports a worker that is away with the state
 * of a lost connection, but its own connection, which brought this report, still works.
 */
final class ConnectionEviction implements SQLExceptionOverride {
    private static final String GOES_ON = "ERROR";

    @java.lang.Override
    public Override adjudicate(SQLException failed) {
        ServerErrorMessage reported =
                failed instanceof PSQLException reporting ? reporting.getServerErrorMessage() : null;
        return reported != null && GOES_ON.equals(reported.getSeverity())
                ? Override.DO_NOT_EVICT
                : Override.CONTINUE_EVICT;
    }
}
