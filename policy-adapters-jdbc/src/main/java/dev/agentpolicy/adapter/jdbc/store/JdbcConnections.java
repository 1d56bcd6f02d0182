package dev.agentpolicy.adapter.jdbc.store;

import static dev.agentpolicy.adapter.jdbc.connect.Transactions.update;
import static dev.agentpolicy.adapter.jdbc.sql.Timestamps.column;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.port.ConnectionStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Stores registered clients, requests for connections, and tokens, shared by all nodes. */
public record JdbcConnections(Reads reads, Transactions transactions) implements ConnectionStore {
    private static final String REQUEST = "SELECT * FROM oauth_request WHERE ";
    private static final String WAITING = " WHERE request_id = ? AND status = 'waiting' AND expires_at > ?";
    private static final String TOKEN = "SELECT * FROM oauth_token WHERE token_hash = ?";
    private static final String INSERT_TOKEN =
            "INSERT INTO oauth_token(token_hash, is_access, user_id, consent, parent_hash,"
                    + " expires_at, access_number, access_ends) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String RENEW =
            "UPDATE oauth_token SET expires_at = ?, access_number = ?, access_ends = ? WHERE token_hash = ?";

    /** How long answered requests are kept, so that a code that is used again is known. */
    private static final Duration ANSWERED_FOR = Duration.ofDays(1);

    @Override
    public void register(RegisteredClient client) {
        reads.update(
                "INSERT INTO oauth_client(client_id, name, redirect_uris, created_at, is_used)"
                        + " VALUES (?, ?, ?, ?, FALSE)",
                client.id(),
                client.name(),
                String.join("\n", client.redirectUris()),
                client.createdAt());
    }

    @Override
    public Optional<RegisteredClient> client(String id) {
        return reads.first(
                "SELECT * FROM oauth_client WHERE client_id = ?",
                row -> new RegisteredClient(
                        id,
                        row.getString("name"),
                        List.of(row.getString("redirect_uris").split("\n")),
                        RowReader.instant(row, "created_at")),
                id);
    }

    @Override
    public void begin(AuthorizationRequest request) {
        reads.update(
                "INSERT INTO oauth_request(request_id, browser_hash, asked, expires_at, status)"
                        + " VALUES (?, ?, ?, ?, 'waiting')",
                request.id(),
                request.browserHash(),
                CanonicalForm.writeStored(AskedConnection.STORED.write(request.asked())),
                request.expiresAt());
    }

    @Override
    public Optional<AuthorizationRequest> request(UUID id) {
        return reads.first(REQUEST + "request_id = ?", JdbcConnections::request, id);
    }

    private static AuthorizationRequest request(ResultSet row) throws SQLException {
        return new AuthorizationRequest(
                row.getObject("request_id", UUID.class),
                row.getString("browser_hash"),
                asked(row),
                RowReader.instant(row, "expires_at"),
                !row.getString("status").equals("waiting"));
    }

    @Override
    public void seen(UUID id, UserId user) {
        reads.update("UPDATE oauth_request SET user_id = ? WHERE request_id = ? AND user_id IS NULL", user.value(), id);
    }

    @Override
    public List<AuthorizationRequest> waiting(UserId user, Instant now) {
        return reads.list(
                REQUEST + "user_id = ? AND status = 'waiting' AND expires_at > ? ORDER BY request_id",
                JdbcConnections::request,
                user.value(),
                column(now));
    }

    private static AskedConnection asked(ResultSet row) throws SQLException {
        return AskedConnection.STORED.readStored(CanonicalForm.readStored(row.getString("asked")));
    }

    @Override
    public boolean approve(UUID id, String codeHash, Consent consent, Instant now) {
        return transactions.inOne(connection -> {
            int answered = update(
                    connection,
                    "UPDATE oauth_request SET status = 'approved', user_id = ?, consent = ?, agent_key = ?, code_hash = ?,"
                            + " code_expires_at = ?" + WAITING,
                    consent.user().value(),
                    consent.id(),
                    CanonicalForm.writeStored(Consent.STORED_KEY.write(consent.key())),
                    codeHash,
                    column(consent.codeExpiresAt()),
                    id,
                    column(now));
            if (answered > 0) {
                String client = Reads.list(connection, REQUEST + "request_id = ?", JdbcConnections::asked, id)
                        .get(0)
                        .client()
                        .id();
                update(connection, "UPDATE oauth_client SET is_used = TRUE WHERE client_id = ?", client);
            }
            return answered > 0;
        });
    }

    @Override
    public boolean deny(UUID id, Instant now) {
        return reads.update("UPDATE oauth_request SET status = 'denied'" + WAITING, id, now) > 0;
    }

    @Override
    public Optional<CodedConsent> consent(String codeHash) {
        return reads.first(
                REQUEST + "code_hash = ?",
                row -> new CodedConsent(
                        asked(row),
                        new Consent(
                                RowReader.userId(row),
                                row.getString("consent"),
                                Consent.STORED_KEY.readStored(CanonicalForm.readStored(row.getString("agent_key"))),
                                RowReader.instant(row, "code_expires_at")),
                        !row.getString("status").equals("approved"),
                        row.getString("status").equals("replayed")),
                codeHash);
    }

    @Override
    public boolean exchange(String codeHash) {
        boolean isFirst = becomes("exchanged", codeHash, "approved");
        if (!isFirst) {
            becomes("replayed", codeHash, "exchanged");
        }
        return isFirst;
    }

    private boolean becomes(String next, String codeHash, String before) {
        return reads.update(
                        "UPDATE oauth_request SET status = ? WHERE code_hash = ? AND status = ?",
                        next,
                        codeHash,
                        before)
                > 0;
    }

    @Override
    public void issue(TokenOwner owner, String refreshHash, String accessHash, Instant now) {
        Instant accessEnds = now.plus(ACCESS_TOKEN_AGE);
        transactions.inOne(connection -> insert(connection, owner, refreshHash, null, accessEnds)
                + insert(connection, owner, accessHash, refreshHash, accessEnds, null, null));
    }

    private static int insert(
            Connection connection, TokenOwner owner, String hash, @Nullable String parent, Instant accessEnds)
            throws SQLException {
        return insert(connection, owner, hash, parent, owner.expiresAt(), 1, accessEnds);
    }

    /** @param access the number of the access token of a refresh token; null for an access token */
    private static int insert(
            Connection connection,
            TokenOwner owner,
            String hash,
            @Nullable String parent,
            Instant expiresAt,
            @Nullable Integer access,
            @Nullable Instant accessEnds)
            throws SQLException {
        return update(
                connection,
                INSERT_TOKEN,
                hash,
                access == null,
                owner.user().value(),
                owner.consent(),
                parent,
                column(expiresAt),
                access,
                accessEnds == null ? null : column(accessEnds));
    }

    @Override
    public Optional<TokenOwner> owner(String tokenHash, Instant now) {
        return reads.first(TOKEN + " AND expires_at > ?", JdbcConnections::owner, tokenHash, column(now));
    }

    private static TokenOwner owner(ResultSet row) throws SQLException {
        return new TokenOwner(RowReader.userId(row), row.getString("consent"), RowReader.instant(row, "expires_at"));
    }

    /** The row of the old token is locked, so that calls with it take turns. */
    @Override
    public Optional<Succession> succeed(
            String refreshHash, String successorHash, IntFunction<String> accessHash, Duration grace, Instant now) {
        return transactions.inOne(connection -> {
            List<TokenOwner> owners = Reads.list(
                    connection,
                    TOKEN + " AND NOT is_access AND expires_at > ? FOR UPDATE",
                    JdbcConnections::owner,
                    refreshHash,
                    column(now));
            return owners.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            succeed(connection, owners.get(0), refreshHash, successorHash, accessHash, grace, now));
        });
    }

    /** What is known of the successor of a refresh token. */
    private record StoredSuccessor(@Nullable Instant usedAt, int accessNumber, Instant accessEnds) {
        static StoredSuccessor of(ResultSet row) throws SQLException {
            return new StoredSuccessor(
                    RowReader.instantOrNull(row, "used_at"),
                    row.getInt("access_number"),
                    RowReader.instant(row, "access_ends"));
        }
    }

    private static Succession succeed(
            Connection connection,
            TokenOwner owner,
            String refreshHash,
            String successorHash,
            IntFunction<String> accessHash,
            Duration grace,
            Instant now)
            throws SQLException {
        TokenOwner renewed = new TokenOwner(owner.user(), owner.consent(), now.plus(REFRESH_TOKEN_AGE));
        Instant accessEnds = now.plus(ACCESS_TOKEN_AGE);
        List<StoredSuccessor> there = Reads.list(connection, TOKEN, StoredSuccessor::of, successorHash);
        if (there.isEmpty()) {
            update(
                    connection,
                    "UPDATE oauth_token SET used_at = ? WHERE token_hash = ? AND used_at IS NULL",
                    column(now),
                    refreshHash);
            insert(connection, renewed, successorHash, refreshHash, accessEnds);
            insert(connection, owner, accessHash.apply(1), successorHash, accessEnds, null, null);
            return new Succession(1, accessEnds);
        }
        StoredSuccessor successor = there.get(0);
        if (successor.usedAt != null && successor.usedAt.plus(grace).isBefore(now)) {
            return new Succession(0, now);
        }
        boolean isSame = now.plus(MIN_ACCESS_TOKEN_REST).isBefore(successor.accessEnds);
        int number = isSame ? successor.accessNumber : successor.accessNumber + 1;
        Instant ends = isSame ? successor.accessEnds : accessEnds;
        update(connection, RENEW, column(renewed.expiresAt()), number, column(ends), successorHash);
        if (!isSame) {
            insert(connection, owner, accessHash.apply(number), successorHash, ends, null, null);
        }
        return new Succession(number, ends);
    }

    @Override
    public int removeExpired(Instant now, Instant unusedSince) {
        return reads.update("DELETE FROM oauth_token WHERE expires_at <= ?", now)
                + reads.update("DELETE FROM oauth_request WHERE expires_at <= ?", now.minus(ANSWERED_FOR))
                + reads.update("DELETE FROM oauth_client WHERE NOT is_used AND created_at <= ?", unusedSince);
    }
}
