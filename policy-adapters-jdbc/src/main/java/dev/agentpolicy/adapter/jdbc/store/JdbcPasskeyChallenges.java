package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Stores the challenges of passkeys, shared by all nodes. */
public record JdbcPasskeyChallenges(Reads reads) implements PasskeyChallenges {

    @Override
    public void add(PasskeyChallenge challenge) {
        UserId user = challenge.user();
        AttestedRequest attested = challenge.attested();
        reads.update(
                "INSERT INTO passkey_challenge(challenge, purpose, user_id, attested, call_hash, expires_at)"
                        + " VALUES (?, ?, CAST(? AS uuid), ?, ?, ?)",
                challenge.text(),
                challenge.purpose().wireName(),
                user == null ? null : user.value(),
                attested == null ? null : CanonicalForm.write(attested.document()),
                challenge.call(),
                challenge.expiresAt());
    }

    /** Whoever deletes the row has taken the challenge; the lock of the row lets nobody else delete it. */
    @Override
    public Optional<PasskeyChallenge> take(String text) {
        Optional<PasskeyChallenge> found = reads.first(
                "SELECT challenge, purpose, user_id, attested, call_hash, expires_at FROM passkey_challenge"
                        + " WHERE challenge = ?",
                JdbcPasskeyChallenges::read,
                text);
        return reads.update("DELETE FROM passkey_challenge WHERE challenge = ?", text) == 1 ? found : Optional.empty();
    }

    private static PasskeyChallenge read(ResultSet row) throws SQLException {
        UUID user = row.getObject("user_id", UUID.class);
        String attested = row.getString("attested");
        return new PasskeyChallenge(
                row.getString("challenge"),
                RowReader.word(Purpose.values(), Purpose::wireName, row.getString("purpose")),
                user == null ? null : new UserId(user),
                attested == null ? null : AttestedRequest.readStored(CanonicalForm.read(attested)),
                row.getString("call_hash"),
                RowReader.instant(row, "expires_at"));
    }

    @Override
    public int removeExpired(Instant now) {
        return reads.update("DELETE FROM passkey_challenge WHERE expires_at <= ?", now);
    }
}
