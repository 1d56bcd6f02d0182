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
import java.util.stream.Stream;

/** Stores the challenges of passkeys, shared by all nodes. */
public record JdbcPasskeyChallenges(Reads reads) implements PasskeyChallenges {

    @Override
    public void add(PasskeyChallenge challenge) {
        UserId user = challenge.user();
        AttestedRequest attested = challenge.attested();
        reads.change(handle -> handle.createUpdate(
                        "INSERT INTO passkey_challenge(challenge, purpose, user_id, attested, expires_at)"
                                + " VALUES (:challenge, :purpose, CAST(:user AS uuid), :attested, :expires)")
                .bind("challenge", challenge.text())
                .bind("purpose", challenge.purpose().wireName())
                .bind("user", user == null ? null : user.value())
                .bind("attested", attested == null ? null : CanonicalForm.write(AttestedRequest.SCHEMA.write(attested)))
                .bind("expires", challenge.expiresAt())
                .execute());
    }

    /** Whoever deletes the row has taken the challenge; the lock of the row lets nobody else delete it. */
    @Override
    public Optional<PasskeyChallenge> take(String text) {
        return reads.change(handle -> {
            Optional<PasskeyChallenge> found = handle.createQuery(
                            "SELECT * FROM passkey_challenge WHERE challenge = :challenge")
                    .bind("challenge", text)
                    .map((row, context) -> read(row))
                    .findOne();
            int deleted = handle.createUpdate("DELETE FROM passkey_challenge WHERE challenge = :challenge")
                    .bind("challenge", text)
                    .execute();
            return deleted == 1 ? found : Optional.empty();
        });
    }

    private static PasskeyChallenge read(ResultSet row) throws SQLException {
        String purpose = row.getString("purpose");
        UUID user = row.getObject("user_id", UUID.class);
        String attested = row.getString("attested");
        return new PasskeyChallenge(
                row.getString("challenge"),
                Stream.of(Purpose.values())
                        .filter(each -> each.wireName().equals(purpose))
                        .findFirst()
                        .orElseThrow(),
                user == null ? null : new UserId(user),
                attested == null ? null : AttestedRequest.SCHEMA.readWhole(CanonicalForm.read(attested)),
                RowReader.instant(row, "expires_at"));
    }

    @Override
    public int removeExpired(Instant now) {
        return reads.change(handle -> handle.createUpdate("DELETE FROM passkey_challenge WHERE expires_at <= :now")
                .bind("now", now)
                .execute());
    }
}
