package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Sessions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the sessions of users, shared by all nodes, and reads what their streams watch. */
public record JdbcSessions(Reads reads) implements Sessions {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcSessions.class);

    private static final String SESSION_COLUMNS =
            "s.token_hash, s.session_id, s.user_id, s.created_at, s.last_used_at, s.expires_at, s.address, s.agent,"
                    + " s.viewer_id";
    private static final String SESSION = "SELECT " + SESSION_COLUMNS + " FROM app_session s WHERE ";
    private static final String VERSIONS = "a.ips_version + a.scheduled_rev AS policy,"
            + " a.portfolio_rev + a.connections_rev AS portfolio, a.keys_rev, a.requests_rev";
    private static final String WATCHED_ALONE =
            "SELECT " + SESSION_COLUMNS + ", u.inbox_rev, 0 AS policy, 0 AS portfolio,"
                    + " 0 AS keys_rev, 0 AS requests_rev FROM %s JOIN app_session s ON s.token_hash = n.hash"
                    + " LEFT JOIN app_user u ON u.user_id = s.user_id";
    private static final String WATCHED = "SELECT " + SESSION_COLUMNS + ", u.inbox_rev, " + VERSIONS
            + " FROM %s JOIN app_session s ON s.token_hash = n.hash"
            + " LEFT JOIN app_user u ON u.user_id = s.user_id"
            + " LEFT JOIN account a ON a.user_id = s.user_id";
    private static final String ACCOUNTS =
            "SELECT a.user_id, 0 AS inbox_rev, " + VERSIONS + " FROM account a WHERE a.user_id = ANY(?)";
    /** Ends all sessions of a user but one. */
    static final String CLOSE_ALL_BUT = "DELETE FROM app_session WHERE user_id = ? AND token_hash <> ?";

    @Override
    public void open(String tokenHash, StoredSession session) {
        reads.update(
                "INSERT INTO app_session(token_hash, session_id, user_id, created_at, last_used_at, expires_at, address,"
                        + " agent, viewer_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                tokenHash,
                session.id(),
                session.userId().value(),
                session.createdAt(),
                session.lastUsedAt(),
                session.expiresAt(),
                session.origin().address(),
                session.origin().agent(),
                session.viewer());
    }

    @Override
    public Optional<StoredSession> find(String tokenHash) {
        return reads.first(SESSION + "token_hash = ?", JdbcSessions::session, tokenHash);
    }

    @Override
    public List<StoredSession> of(UserId user) {
        return reads.list(
                SESSION + "user_id = ? ORDER BY created_at DESC, session_id DESC", JdbcSessions::session, user.value());
    }

    private static StoredSession session(ResultSet row) throws SQLException {
        return new StoredSession(
                row.getObject("session_id", UUID.class),
                RowReader.userId(row),
                RowReader.instant(row, "created_at"),
                RowReader.instant(row, "last_used_at"),
                RowReader.instant(row, "expires_at"),
                new SessionOrigin(row.getString("address"), row.getString("agent")),
                row.getObject("viewer_id", UUID.class));
    }

    @Override
    public Map<String, WatchedSession> watch(Collection<String> tokenHashes) {
        Dialect dialect = reads.dialect();
        Map<String, WatchedSession> found = new HashMap<>();
        reads.connected(connection -> {
            Sql.each(
                    connection,
                    (dialect.isDistributed() ? WATCHED_ALONE : WATCHED).formatted(dialect.given("n", "hash varchar")),
                    row -> found.put(row.getString("token_hash"), new WatchedSession(session(row), versions(row))),
                    Sql.Parameter.texts(tokenHashes, hash -> hash));
            return true;
        });
        if (dialect.isDistributed()) {
            Map<UserId, AccountVersions> accounts = accounts(found.values());
            found.replaceAll((hash, it) ->
                    it.withAccount(accounts.getOrDefault(it.session().userId(), AccountVersions.NONE)));
        }
        return found;
    }

    /** Asks each part of a cluster on its own, so that one that is away leaves the others as they are. */
    private Map<UserId, AccountVersions> accounts(Collection<WatchedSession> watched) {
        Dialect dialect = reads.dialect();
        Map<Integer, Set<UserId>> lanes = watched.stream()
                .map(it -> it.session().userId())
                .collect(Collectors.groupingBy(user -> dialect.lane(user, dialect.defaultLanes()), Collectors.toSet()));
        Map<UserId, AccountVersions> found = new HashMap<>();
        int away = 0;
        for (Set<UserId> users : lanes.values()) {
            try {
                found.putAll(reads.connected(users.iterator().next(), connection -> accounts(connection, users)));
            } catch (Unavailable part) {
                if (++away == lanes.size()) {
                    throw part;
                }
                LOG.debug("The accounts of {} users cannot be watched now.", users.size(), part);
                users.forEach(user -> found.put(user, AccountVersions.UNKNOWN));
            }
        }
        return found;
    }

    private static Map<UserId, AccountVersions> accounts(Connection connection, Set<UserId> users) throws SQLException {
        Map<UserId, AccountVersions> found = new HashMap<>();
        Sql.each(
                connection,
                ACCOUNTS,
                row -> found.put(RowReader.userId(row), versions(row)),
                Sql.Parameter.uuids(users, UserId::value));
        return found;
    }

    /** A user who has no account row yet has the versions 0. */
    private static AccountVersions versions(ResultSet row) throws SQLException {
        return new AccountVersions(
                row.getLong("requests_rev"),
                row.getLong("portfolio"),
                row.getLong("policy"),
                row.getLong("keys_rev"),
                row.getLong("inbox_rev"));
    }

    @Override
    public boolean close(UserId user, UUID id) {
        return reads.update("DELETE FROM app_session WHERE user_id = ? AND session_id = ?", user.value(), id) > 0;
    }

    @Override
    public void closeViewer(UserId user, UUID viewer) {
        reads.update("DELETE FROM app_session WHERE user_id = ? AND viewer_id = ?", user.value(), viewer);
    }

    @Override
    public void close(String tokenHash) {
        reads.update("DELETE FROM app_session WHERE token_hash = ?", tokenHash);
    }

    @Override
    public void closeAll(UserId user, @Nullable String except) {
        reads.update(CLOSE_ALL_BUT, user.value(), Objects.requireNonNullElse(except, ""));
    }

    /** A statement of its own, so that of several sign-ins at once the last one sees the sessions of all. */
    @Override
    public void closeBeyond(UserId user, @Nullable UUID viewer, String kept, Instant now, int max) {
        reads.update(
                "DELETE FROM app_session WHERE token_hash IN (SELECT token_hash FROM app_session"
                        + " WHERE user_id = ? AND viewer_id IS NOT DISTINCT FROM CAST(? AS uuid) AND token_hash <> ?"
                        + " AND expires_at > ? ORDER BY last_used_at DESC, token_hash OFFSET ? ROWS)",
                user.value(),
                viewer,
                kept,
                now,
                max - 1);
    }

    @Override
    public void use(String tokenHash, Instant at) {
        reads.update(
                "UPDATE app_session SET last_used_at = ? WHERE token_hash = ? AND last_used_at < ?", at, tokenHash, at);
    }

    /** Two statements, since H2 uses no index for either of two conditions. */
    @Override
    public int removeEnded(Instant now, Instant unusedSince) {
        return reads.update("DELETE FROM app_session WHERE expires_at <= ?", now)
                + reads.update("DELETE FROM app_session WHERE last_used_at <= ?", unusedSince);
    }
}
