package dev.agentpolicy.adapter.jdbc.store;

import static dev.agentpolicy.adapter.jdbc.connect.Transactions.update;
import static dev.agentpolicy.adapter.jdbc.sql.Timestamps.column;

import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.NoticeSettings.QuietHours;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.Users;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** Stores the users who may sign in, their devices, and the tokens mailed to them, shared by all nodes. */
public record JdbcUsers(Reads reads, Transactions transactions) implements Users, Devices, MailTokens {
    private static final String USER =
            "SELECT user_id, email, password_hash, created_at, request_mails, request_pushes, quiet_start, quiet_end,"
                    + " quiet_zone, digest_minutes, email_confirmed, recovered_at FROM app_user WHERE ";

    private static final String DONE_ITEMS = "SELECT inbox_done FROM app_user WHERE user_id = ?";
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
                + update(
                        connection, JdbcSessions.CLOSE_ALL_BUT, id.value(), Objects.requireNonNullElse(keptSession, ""))
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
        update(connection, JdbcSessions.CLOSE_ALL_BUT, id.value(), Objects.requireNonNullElse(keptSession, ""));
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
