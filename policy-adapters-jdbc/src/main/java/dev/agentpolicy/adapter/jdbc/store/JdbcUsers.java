package dev.agentpolicy.adapter.jdbc.store;

import static dev.agentpolicy.adapter.jdbc.connect.Transactions.update;
import static dev.agentpolicy.adapter.jdbc.sql.Timestamps.column;

import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.NoticeSettings.QuietHours;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the users who may sign in, their sessions and devices, and the tokens mailed to them, shared by all nodes. */
public record JdbcUsers(Reads reads, Transactions transactions) implements Users, Sessions, Devices, MailTokens {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcUsers.class);

    private static final String USER =
            "SELECT user_id, email, password_hash, created_at, request_mails, request_pushes, quiet_start, quiet_end,"
                    + " quiet_zone, digest_minutes, email_confirmed, recovered_at FROM app_user WHERE ";

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
    private static final String DONE_ITEMS = "SELECT inbox_done FROM app_user WHERE user_id = ?";
    private static final String CLOSE_ALL_BUT = "DELETE FROM app_session WHERE user_id = ? AND token_hash <> ?";
    private static final String FORGET_ALL_BUT = "DELETE FROM app_device WHERE user_id = ? AND token_hash <> ?";

    private static final String TOKEN = "SELECT user_id, purpose, email, expires_at FROM mail_token WHERE ";
    private static final String TOKEN_BY_HASH = TOKEN + "token_hash = ? AND purpose = ? AND expires_at > ?";
    private static final String REMOVE_TOKEN = "DELETE FROM mail_token WHERE user_id = ? AND purpose = ?";

    @Override
    public boolean add(User user) {
        return Retries.whenAnswerIsLost(() -> insert(user));
    }

    /** Returns true also when an earlier attempt, whose answer was lost, inserted this user. */
    private boolean insert(User user) {
        try {
            reads.update(
                    "INSERT INTO app_user(user_id, email, password_hash, created_at, email_confirmed)"
                            + " VALUES (?, ?, ?, ?, ?)",
                    user.id().value(),
                    user.email().toLowerCase(Locale.ROOT),
                    user.passwordHash(),
                    user.createdAt(),
                    user.isEmailConfirmed());
            return true;
        } catch (JdbiException failed) {
            Optional<User> there = Reads.isTaken(failed) ? byEmail(user.email()) : Optional.empty();
            return there.orElseThrow(() -> failed).id().equals(user.id());
        }
    }

    @Override
    public Optional<User> byEmail(String email) {
        return reads.first(USER + "email = ?", JdbcUsers::user, email.toLowerCase(Locale.ROOT));
    }

    @Override
    public Optional<User> byId(UserId id) {
        return reads.first(USER + "user_id = ?", JdbcUsers::user, id.value());
    }

    private static User user(ResultSet row) throws SQLException {
        return new User(
                RowReader.userId(row),
                row.getString("email"),
                row.getString("password_hash"),
                RowReader.instant(row, "created_at"),
                notices(row),
                row.getBoolean("email_confirmed"),
                RowReader.instantOrNull(row, "recovered_at"));
    }

    private static NoticeSettings notices(ResultSet row) throws SQLException {
        String zone = row.getString("quiet_zone");
        return new NoticeSettings(
                RowReader.word(RequestNotices.values(), RequestNotices::wireName, row.getString("request_pushes")),
                RowReader.word(RequestNotices.values(), RequestNotices::wireName, row.getString("request_mails")),
                zone == null
                        ? null
                        : new QuietHours(
                                LocalTime.parse(row.getString("quiet_start")),
                                LocalTime.parse(row.getString("quiet_end")),
                                ZoneId.of(zone)),
                row.getInt("digest_minutes"));
    }

    @Override
    public void setPassword(UserId id, String passwordHash) {
        reads.update("UPDATE app_user SET password_hash = ? WHERE user_id = ?", passwordHash, id.value());
    }

    @Override
    public void changePassword(
            UserId id, String passwordHash, @Nullable String keptSession, @Nullable String keptDevice) {
        transactions.inOne(connection -> changePassword(connection, id, passwordHash, keptSession, keptDevice));
    }

    private static int changePassword(
            Connection connection,
            UserId id,
            String passwordHash,
            @Nullable String keptSession,
            @Nullable String keptDevice)
            throws SQLException {
        return update(connection, "UPDATE app_user SET password_hash = ? WHERE user_id = ?", passwordHash, id.value())
                + update(connection, CLOSE_ALL_BUT, id.value(), Objects.requireNonNullElse(keptSession, ""))
                + update(connection, FORGET_ALL_BUT, id.value(), Objects.requireNonNullElse(keptDevice, ""))
                + update(connection, "DELETE FROM push_device WHERE user_id = ?", id.value())
                + update(connection, "DELETE FROM mail_token WHERE user_id = ?", id.value());
    }

    @Override
    public Optional<UserId> resetPassword(String tokenHash, Instant now, String passwordHash) {
        return transactions.inOne(connection -> {
            MailToken token = take(connection, tokenHash, Purpose.PASSWORD_RESET, now);
            if (token == null) {
                return Optional.empty();
            }
            confirm(connection, token);
            update(
                    connection,
                    "UPDATE app_user SET recovered_at = ? WHERE user_id = ?",
                    column(now),
                    token.userId().value());
            changePassword(connection, token.userId(), passwordHash, null, null);
            return Optional.of(token.userId());
        });
    }

    /** Confirms the address of a token if its user has that one. */
    private static boolean confirm(Connection connection, MailToken token) throws SQLException {
        return update(
                        connection,
                        "UPDATE app_user SET email_confirmed = TRUE WHERE user_id = ? AND email = ?",
                        token.userId().value(),
                        token.email())
                > 0;
    }

    @Override
    public boolean setEmail(UserId id, String email, boolean isConfirmed, Instant now, @Nullable String keptSession) {
        return transactions.inOne(connection -> setEmail(connection, id, email, isConfirmed, now, keptSession));
    }

    /** Rolls the transaction back if another user has the address. */
    private static boolean setEmail(
            Connection connection,
            UserId id,
            String email,
            boolean isConfirmed,
            Instant now,
            @Nullable String keptSession)
            throws SQLException {
        try {
            int changed = update(
                    connection,
                    "UPDATE app_user SET email = ?, email_confirmed = ?, recovered_at = ? WHERE user_id = ?",
                    email.toLowerCase(Locale.ROOT),
                    isConfirmed,
                    column(now),
                    id.value());
            if (changed == 0) {
                return false;
            }
        } catch (SQLException failed) {
            if (!SqlFailure.isTaken(failed)) {
                throw failed;
            }
            connection.rollback();
            return false;
        }
        update(connection, CLOSE_ALL_BUT, id.value(), Objects.requireNonNullElse(keptSession, ""));
        update(connection, REMOVE_TOKEN, id.value(), stored(Purpose.PASSWORD_RESET));
        return true;
    }

    @Override
    public EmailConfirmation confirmEmail(String tokenHash, Instant now, @Nullable String keptSession) {
        return transactions.inOne(connection -> {
            MailToken token = take(connection, tokenHash, Purpose.EMAIL_CONFIRMATION, now);
            String email = token == null ? null : token.email();
            if (token == null || email == null) {
                return EmailConfirmation.NO_TOKEN;
            }
            return confirm(connection, token) || setEmail(connection, token.userId(), email, true, now, keptSession)
                    ? EmailConfirmation.CONFIRMED
                    : EmailConfirmation.TAKEN;
        });
    }

    @Override
    public void setNotices(UserId id, NoticeSettings notices) {
        QuietHours quiet = notices.quietHours();
        reads.update(
                "UPDATE app_user SET request_mails = ?, request_pushes = ?, quiet_start = ?, quiet_end = ?,"
                        + " quiet_zone = ?, digest_minutes = ?, push_due_at = CASE WHEN push_due_at IS NULL THEN NULL"
                        + " ELSE TIMESTAMP WITH TIME ZONE '2000-01-01 00:00:00+00' END WHERE user_id = ?",
                notices.mail().wireName(),
                notices.push().wireName(),
                quiet == null ? null : quiet.start().toString(),
                quiet == null ? null : quiet.end().toString(),
                quiet == null ? null : quiet.zone().getId(),
                notices.digestMinutes(),
                id.value());
    }

    @Override
    public Set<String> doneItems(UserId id) {
        return reads.first(DONE_ITEMS, row -> items(row.getString("inbox_done")), id.value())
                .orElse(Set.of());
    }

    @Override
    public void addDoneItem(UserId id, String item, Set<String> present) {
        transactions.inOne(connection -> {
            Set<String> done = new LinkedHashSet<>();
            try (PreparedStatement locked = connection.prepareStatement(DONE_ITEMS + " FOR UPDATE")) {
                locked.setObject(1, id.value());
                try (ResultSet row = locked.executeQuery()) {
                    if (row.next()) {
                        done.addAll(items(row.getString("inbox_done")));
                    }
                }
            }
            done.retainAll(present);
            done.add(item);
            return update(
                    connection,
                    "UPDATE app_user SET inbox_done = ?, inbox_rev = inbox_rev + 1 WHERE user_id = ?",
                    String.join("\n", done),
                    id.value());
        });
    }

    private static Set<String> items(String lines) {
        return lines.isEmpty() ? Set.of() : Set.of(lines.split("\n"));
    }

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
        return reads.first(SESSION + "token_hash = ?", JdbcUsers::session, tokenHash);
    }

    @Override
    public List<StoredSession> of(UserId user) {
        return reads.list(
                SESSION + "user_id = ? ORDER BY created_at DESC, session_id DESC", JdbcUsers::session, user.value());
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
                found.putAll(reads.connected(connection -> accounts(connection, users)));
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

    @Override
    public void remember(String tokenHash, UserId user, Instant now, int max) {
        reads.change(handle -> {
            int known = handle.execute(
                    "UPDATE app_device SET last_used_at = ? WHERE token_hash = ? AND user_id = ?",
                    now,
                    tokenHash,
                    user.value());
            if (known == 0) {
                handle.execute(
                        "INSERT INTO app_device(token_hash, user_id, last_used_at) VALUES (?, ?, ?)",
                        tokenHash,
                        user.value(),
                        now);
            }
            return handle.execute(
                    "DELETE FROM app_device WHERE token_hash IN (SELECT token_hash FROM app_device WHERE user_id = ?"
                            + " ORDER BY last_used_at DESC, token_hash OFFSET ? ROWS)",
                    user.value(),
                    max);
        });
    }

    @Override
    public Optional<UserId> find(String tokenHash, Instant usedAfter) {
        return reads.first(
                "SELECT user_id FROM app_device WHERE token_hash = ? AND last_used_at > ?",
                RowReader::userId,
                tokenHash,
                column(usedAfter));
    }

    @Override
    public void forget(UserId user, @Nullable String except) {
        reads.update(FORGET_ALL_BUT, user.value(), Objects.requireNonNullElse(except, ""));
    }

    @Override
    public int removeUnused(Instant since) {
        return reads.update("DELETE FROM app_device WHERE last_used_at <= ?", since);
    }

    @Override
    public void store(String tokenHash, MailToken token) {
        transactions.inOne(connection -> {
            update(connection, REMOVE_TOKEN, token.userId().value(), stored(token.purpose()));
            return update(
                    connection,
                    "INSERT INTO mail_token(user_id, purpose, token_hash, email, expires_at) VALUES (?, ?, ?, ?, ?)",
                    token.userId().value(),
                    stored(token.purpose()),
                    tokenHash,
                    token.email(),
                    column(token.expiresAt()));
        });
    }

    @Override
    public Optional<MailToken> find(String tokenHash, Purpose purpose, Instant now) {
        return reads.first(TOKEN_BY_HASH, JdbcUsers::token, tokenHash, stored(purpose), column(now));
    }

    /** Uses up a token in a transaction; null for none. Of two transactions that found it, one removes it. */
    static @Nullable MailToken take(Connection connection, String tokenHash, Purpose purpose, Instant now)
            throws SQLException {
        List<MailToken> found =
                Reads.list(connection, TOKEN_BY_HASH, JdbcUsers::token, tokenHash, stored(purpose), column(now));
        boolean isOurs =
                !found.isEmpty() && update(connection, "DELETE FROM mail_token WHERE token_hash = ?", tokenHash) > 0;
        return isOurs ? found.get(0) : null;
    }

    @Override
    public Optional<MailToken> of(UserId user, Purpose purpose, Instant now) {
        return reads.first(
                TOKEN + "user_id = ? AND purpose = ? AND expires_at > ?",
                JdbcUsers::token,
                user.value(),
                stored(purpose),
                column(now));
    }

    @Override
    public void remove(UserId user, Purpose purpose) {
        transactions.update(REMOVE_TOKEN, user.value(), stored(purpose));
    }

    @Override
    public int removeExpired(Instant now) {
        return transactions.update("DELETE FROM mail_token WHERE expires_at <= ?", column(now));
    }

    private static MailToken token(ResultSet row) throws SQLException {
        return new MailToken(
                RowReader.userId(row),
                RowReader.word(Purpose.values(), JdbcUsers::stored, row.getString("purpose")),
                row.getString("email"),
                RowReader.instant(row, "expires_at"));
    }

    static String stored(Purpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT);
    }
}
