package dev.agentpolicy.adapter.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** Work on a connection; in a transaction it may be done several times. */
@FunctionalInterface
public interface ConnectionWork<T> {
    T on(Connection connection) throws SQLException;
}
