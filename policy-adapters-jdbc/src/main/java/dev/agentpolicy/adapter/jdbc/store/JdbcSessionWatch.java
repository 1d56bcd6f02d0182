package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.port.signin.SessionWatch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Reads sessions and the versions in the account rows of their users. */
public record JdbcSessionWatch(Reads reads) implements SessionWatch {
    private static final String SELECTING = "SELECT s.*,"
            + " a.ips_version, a.portfolio_rev + a.connections_rev AS portfolio, a.keys_rev, a.requests_rev"
            + " FROM %s JOIN app_session s ON s.token_hash = n.hash"
            + " LEFT JOIN account a ON a.user_id = s.user_id";

    @Override
    public Map<String, WatchedSession> read(Collection<String> tokenHashes) {
        return reads.connected(connection -> read(connection, reads.dialect(), tokenHashes));
    }

    private static Map<String, WatchedSession> read(
            Connection connection, Dialect dialect, Collection<String> tokenHashes) throws SQLException {
        Map<String, WatchedSession> found = new HashMap<>();
        Sql.each(
                connection,
                SELECTING.formatted(dialect.given("n", "hash varchar")),
                row -> found.put(row.getString("token_hash"), watched(row)),
                Sql.Parameter.texts(tokenHashes, hash -> hash));
        return found;
    }

    /** A user who has no account row yet has the versions 0. */
    private static WatchedSession watched(ResultSet row) throws SQLException {
        AccountVersions versions = new AccountVersions(
                row.getLong("requests_rev"),
                row.getLong("portfolio"),
                row.getLong("ips_version"),
                row.getLong("keys_rev"));
        return new WatchedSession(JdbcSessions.session(row), versions);
    }
}
