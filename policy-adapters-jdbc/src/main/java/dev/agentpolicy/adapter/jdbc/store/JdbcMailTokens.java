package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.MailTokens;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Stores the tokens in the links of mails, shared by all nodes. */
public record JdbcMailTokens(Reads reads, Transactions transactions) implements MailTokens {
    private static final String SELECT = "SELECT user_id, purpose, email, expires_at FROM mail_token";

    @Override
    public void store(String tokenHash, MailToken token) {
        transactions.inOne(connection -> {
            Transactions.update(
                    connection,
                    "DELETE FROM mail_token WHERE user_id = ? AND purpose = ?",
                    token.userId().value(),
                    stored(token.purpose()));
            return Transactions.update(
                    connection,
                    "INSERT INTO mail_token(user_id, purpose, token_hash, email, expires_at) VALUES (?, ?, ?, ?, ?)",
                    token.userId().value(),
                    stored(token.purpose()),
                    tokenHash,
                    token.email(),
                    Timestamps.column(token.expiresAt()));
        });
    }

    @Override
    public Optional<MailToken> take(String tokenHash, Purpose purpose, Instant now) {
        return transactions.inOne(connection -> {
            Optional<MailToken> found = Reads.list(
                            connection,
                            SELECT + " WHERE token_hash = ? AND purpose = ? AND expires_at > ?",
                            JdbcMailTokens::token,
                            tokenHash,
                            stored(purpose),
                            Timestamps.column(now))
                    .stream()
                    .findFirst();
            // Of two transactions that found it, one removes it.
            boolean isOurs = found.isPresent()
                    && Transactions.update(connection, "DELETE FROM mail_token WHERE token_hash = ?", tokenHash) > 0;
            return isOurs ? found : Optional.empty();
        });
    }

    @Override
    public Optional<MailToken> of(UserId user, Purpose purpose, Instant now) {
        return reads.first(
                SELECT + " WHERE user_id = ? AND purpose = ? AND expires_at > ?",
                JdbcMailTokens::token,
                user.value(),
                stored(purpose),
                Timestamps.column(now));
    }

    @Override
    public void remove(UserId user, Purpose purpose) {
        transactions.update("DELETE FROM mail_token WHERE user_id = ? AND purpose = ?", user.value(), stored(purpose));
    }

    @Override
    public int removeExpired(Instant now) {
        return transactions.update("DELETE FROM mail_token WHERE expires_at <= ?", Timestamps.column(now));
    }

    private static MailToken token(ResultSet row) throws SQLException {
        return new MailToken(
                RowReader.userId(row),
                RowReader.word(Purpose.values(), JdbcMailTokens::stored, row.getString("purpose")),
                row.getString("email"),
                RowReader.instant(row, "expires_at"));
    }

    private static String stored(Purpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT);
    }
}
