package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores the challenges of passkeys, shared by all nodes. */
public record JdbcPasskeyChallenges(Reads reads) implements PasskeyChallenges {

    @Override
    public void add(PasskeyChallenge challenge) {
        UserId user = challenge.user();
        reads.update(
                "INSERT INTO passkey_challenge(challenge, purpose, user_id, attested, call_hash, expires_at)"
                        + " VALUES (?, ?, CAST(? AS uuid), ?, ?, ?)",
                challenge.text(),
                challenge.purpose().wireName(),
                user == null ? null : user.value(),
                attested(challenge),
                challenge.call(),
                challenge.expiresAt());
    }

    /** What is signed: an accepted request or a change of the policy, as the purpose tells. */
    private static @Nullable String attested(PasskeyChallenge challenge) {
        AttestedRequest request = challenge.attested();
        AttestedChange change = challenge.change();
        if (request != null) {
            return CanonicalForm.write(request.document());
        }
        return change == null ? null : CanonicalForm.write(AttestedChange.SCHEMA.write(change));
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
        Purpose purpose = RowReader.word(Purpose.values(), Purpose::wireName, row.getString("purpose"));
        String text = row.getString("attested");
        Document attested = text == null ? null : CanonicalForm.read(text);
        boolean isRequest = purpose == Purpose.ACCEPTANCE;
        return new PasskeyChallenge(
                row.getString("challenge"),
                purpose,
                user == null ? null : new UserId(user),
                attested == null || !isRequest ? null : AttestedRequest.readStored(attested),
                attested == null || isRequest ? null : AttestedChange.SCHEMA.readWhole(attested),
                row.getString("call_hash"),
                RowReader.instant(row, "expires_at"));
    }

    @Override
    public int removeExpired(Instant now) {
        return reads.update("DELETE FROM passkey_challenge WHERE expires_at <= ?", now);
    }
}
