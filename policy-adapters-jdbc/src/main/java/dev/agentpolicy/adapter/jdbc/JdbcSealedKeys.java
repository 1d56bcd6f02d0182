package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.event.SigningKey.Attestation;
import dev.agentpolicy.domain.event.SigningKey.Purpose;
import dev.agentpolicy.domain.event.SigningKey.RevocationReason;
import dev.agentpolicy.domain.event.SigningKey.Status;
import dev.agentpolicy.domain.port.SealedKeys;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.JdbiException;

/** Keeps signing keys; that there is one active key of a purpose at most is up to the database. */
record JdbcSealedKeys(Reads reads) implements SealedKeys {

    @Override
    public List<SigningKey> all() {
        return reads.with(handle -> handle.createQuery("SELECT * FROM signing_key ORDER BY valid_from, kid")
                .map((row, context) -> key(row))
                .list());
    }

    @Override
    public Optional<Sealed> active(Purpose purpose) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT * FROM signing_key WHERE active_purpose = :purpose AND private_part IS NOT NULL")
                .bind("purpose", purpose.wireName())
                .map((row, context) -> new Sealed(key(row), row.getBytes("private_part")))
                .findOne());
    }

    @Override
    public Sealed storeFirst(Sealed sealed) {
        SigningKey key = sealed.key();
        if (key.status() != Status.ACTIVE) {
            throw new IllegalArgumentException("The first key of a purpose must be active.");
        }
        try {
            insert(sealed);
            return sealed;
        } catch (JdbiException failed) {
            if (!Reads.isTaken(failed)) {
                throw failed;
            }
            return active(key.purpose()).orElseThrow(() -> failed);
        }
    }

    private void insert(Sealed sealed) {
        SigningKey key = sealed.key();
        reads.with(handle -> handle.createUpdate("INSERT INTO signing_key(kid, x, purpose, status, active_purpose,"
                        + " valid_from, attestations, private_part)"
                        + " VALUES (:kid, :x, :purpose, :status, :purpose, :from, :attestations, :private)")
                .bind("kid", key.kid())
                .bind("x", key.x())
                .bind("purpose", key.purpose().wireName())
                .bind("status", key.status().wireName())
                .bind("from", key.validFrom())
                .bind("attestations", text(key.attestations()))
                .bind("private", sealed.privatePart())
                .execute());
    }

    private static SigningKey key(ResultSet row) throws SQLException {
        String reason = row.getString("revocation_reason");
        return new SigningKey(
                row.getString("kid"),
                row.getString("x"),
                Rows.word(Purpose.values(), Purpose::wireName, row.getString("purpose")),
                Rows.word(Status.values(), Status::wireName, row.getString("status")),
                Rows.instant(row, "valid_from"),
                Rows.instantOrNull(row, "valid_until"),
                Rows.instantOrNull(row, "revoked_at"),
                reason == null ? null : Rows.word(RevocationReason.values(), RevocationReason::wireName, reason),
                Rows.instantOrNull(row, "compromised_since"),
                attestations(row.getString("attestations")));
    }

    /** One line each: the key that vouches, a blank, its signature. */
    private static String text(List<Attestation> attestations) {
        return attestations.stream()
                .map(attestation -> attestation.byKeyId() + " " + attestation.signature())
                .collect(Collectors.joining("\n"));
    }

    private static List<Attestation> attestations(String text) {
        return Stream.of(text.split("\n"))
                .filter(line -> !line.isEmpty())
                .map(line -> line.split(" ", 2))
                .map(parts -> new Attestation(parts[0], parts[1]))
                .toList();
    }
}
