package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyAttestation;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKey.RevocationReason;
import dev.agentpolicy.domain.port.SealedKeys;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Stores signing keys. A unique column ensures that each purpose has at most one active key. */
public record JdbcSealedKeys(Reads reads, Transactions transactions) implements SealedKeys {
    static final String CHAINS_OF_KEY = "SELECT user_id FROM account WHERE signing_key_id = ? LIMIT ?";
    private static final String INSERTING =
            "INSERT INTO signing_key(kid, x, purpose, status, active_purpose, valid_from,"
                    + " attestations, private_part) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    @Override
    public List<SigningKey> all() {
        return reads.list("SELECT * FROM signing_key ORDER BY valid_from, kid", JdbcSealedKeys::key);
    }

    @Override
    public Optional<SealedKey> active(Purpose purpose) {
        return reads.first(
                "SELECT * FROM signing_key WHERE active_purpose = ? AND private_part IS NOT NULL",
                JdbcSealedKeys::sealed,
                purpose.wireName());
    }

    @Override
    public SealedKey storeFirst(SealedKey sealed) {
        SigningKey key = sealed.key();
        if (key.status() != KeyStatus.ACTIVE) {
            throw new IllegalArgumentException("The first key of a purpose must be active.");
        }
        return reads.insert(INSERTING, row(key, sealed.privatePart()))
                ? sealed
                : active(key.purpose()).orElseThrow();
    }

    @Override
    public Optional<SealedKey> find(String kid) {
        return reads.first(
                "SELECT * FROM signing_key WHERE kid = ? AND private_part IS NOT NULL", JdbcSealedKeys::sealed, kid);
    }

    private static SealedKey sealed(ResultSet row) throws SQLException {
        return new SealedKey(key(row), row.getBytes("private_part"));
    }

    @Override
    public boolean storePending(SealedKey sealed) {
        String purpose = sealed.key().purpose().wireName();
        return reads.change(handle -> handle.inTransaction(inside -> {
            lockActive(inside, purpose);
            boolean hasPending = inside.select(
                            "SELECT 1 FROM signing_key WHERE purpose = ? AND status = ?",
                            purpose,
                            KeyStatus.PENDING.wireName())
                    .mapTo(Integer.class)
                    .findFirst()
                    .isPresent();
            if (!hasPending) {
                inside.execute(INSERTING, row(sealed.key(), sealed.privatePart()));
            }
            return !hasPending;
        }));
    }

    @Override
    public void storePublic(SigningKey key) {
        reads.update(INSERTING, row(key, null));
    }

    @Override
    public boolean advance(List<StateChange> steps) {
        return reads.change(handle -> handle.inTransaction(inside -> advance(inside, steps)));
    }

    @Override
    public boolean replace(List<StateChange> ended, SealedKey next) {
        return reads.change(handle -> handle.inTransaction(inside -> {
            lockActive(inside, next.key().purpose().wireName());
            boolean isDone = advance(inside, ended);
            if (isDone) {
                inside.execute(INSERTING, row(next.key(), next.privatePart()));
            }
            return isDone;
        }));
    }

    /** Users whose next row must be signed by a key that has stopped, since nothing was added to their chain since then. */
    public List<UserId> idleChains(int limit) {
        List<String> stopped = reads.list(
                "SELECT kid FROM signing_key WHERE purpose = ? AND status IN (?, ?)",
                row -> row.getString("kid"),
                Purpose.EVENT.wireName(),
                KeyStatus.RETIRED.wireName(),
                KeyStatus.REVOKED.wireName());
        List<UserId> idle = new ArrayList<>();
        for (String kid : stopped) {
            // One key at a time: with several at once PostgreSQL would read all accounts.
            idle.addAll(reads.list(CHAINS_OF_KEY, RowReader::userId, kid, limit - idle.size()));
        }
        return idle;
    }

    @Override
    public int destroyUnused(Instant stoppedBefore) {
        return transactions.inOne(connection -> {
            int destroyed = 0;
            for (String kid : stopped(connection, stoppedBefore)) {
                boolean isUsed = !Reads.list(
                                connection, "SELECT 1 FROM account WHERE signing_key_id = ? LIMIT 1", row -> true, kid)
                        .isEmpty();
                destroyed += isUsed
                        ? 0
                        : Transactions.update(
                                connection, "UPDATE signing_key SET private_part = NULL WHERE kid = ?", kid);
            }
            return destroyed;
        });
    }

    /** The keys that no chain begins to use any more and whose private part is still there. */
    private static List<String> stopped(Connection connection, Instant before) throws SQLException {
        return Reads.list(
                connection,
                "SELECT kid FROM signing_key WHERE private_part IS NOT NULL AND valid_until < ? AND status IN (?, ?)"
                        + " ORDER BY kid",
                row -> row.getString("kid"),
                Timestamps.column(before),
                KeyStatus.RETIRED.wireName(),
                KeyStatus.REVOKED.wireName());
    }

    @Override
    public int reseal(UnaryOperator<SealedKey> sealing) {
        return transactions.inOne(connection -> {
            List<SealedKey> all = Reads.list(
                    connection,
                    "SELECT * FROM signing_key WHERE private_part IS NOT NULL ORDER BY kid FOR UPDATE",
                    JdbcSealedKeys::sealed);
            for (SealedKey sealed : all) {
                Transactions.update(
                        connection,
                        "UPDATE signing_key SET private_part = ? WHERE kid = ?",
                        sealing.apply(sealed).privatePart(),
                        sealed.key().kid());
            }
            return all.size();
        });
    }

    @Override
    public Optional<byte[]> tokenSecret() {
        return reads.first("SELECT sealed FROM token_secret", row -> row.getBytes("sealed"));
    }

    @Override
    public byte[] storeTokenSecret(Function<SealedKey, byte[]> sealing) {
        return transactions.inOne(connection -> {
            byte[] made = sealing.apply(lockActive(connection));
            List<byte[]> stored =
                    Reads.list(connection, "SELECT sealed FROM token_secret", row -> row.getBytes("sealed"));
            if (stored.isEmpty()) {
                Transactions.update(connection, "INSERT INTO token_secret(sealed) VALUES (?)", made);
            }
            return stored.isEmpty() ? made : stored.get(0);
        });
    }

    @Override
    public void resealTokenSecret(UnaryOperator<byte[]> sealing) {
        transactions.inOne(connection -> {
            lockActive(connection);
            for (byte[] sealed :
                    Reads.list(connection, "SELECT sealed FROM token_secret", row -> row.getBytes("sealed"))) {
                Transactions.update(connection, "UPDATE token_secret SET sealed = ?", sealing.apply(sealed));
            }
            return true;
        });
    }

    /** The active event key, whose private part stays as it is until the end of the transaction. */
    static SealedKey lockActive(Connection connection) throws SQLException {
        return Reads.list(
                        connection,
                        "SELECT * FROM signing_key WHERE active_purpose = ? AND private_part IS NOT NULL FOR UPDATE",
                        JdbcSealedKeys::sealed,
                        Purpose.EVENT.wireName())
                .stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no active event key."));
    }

    /** Serializes the nodes: otherwise two nodes could both find no pending key and store one each. */
    private static void lockActive(Handle handle, String purpose) {
        handle.select("SELECT kid FROM signing_key WHERE active_purpose = ? FOR UPDATE", purpose)
                .mapTo(String.class)
                .list();
    }

    private static boolean advance(Handle handle, List<StateChange> steps) {
        for (StateChange step : steps) {
            if (advance(handle, step) == 0) {
                handle.rollback();
                return false;
            }
        }
        return true;
    }

    private static int advance(Handle handle, StateChange step) {
        SigningKey after = step.after();
        boolean isActive = after.status() == KeyStatus.ACTIVE;
        RevocationReason reason = after.revocationReason();
        return handle.execute(
                "UPDATE signing_key SET status = ?, active_purpose = ?, valid_until = ?, revoked_at = ?,"
                        + " revocation_reason = ?, compromised_since = ? WHERE kid = ? AND status = ?",
                after.status().wireName(),
                isActive ? after.purpose().wireName() : null,
                after.validUntil(),
                after.revokedAt(),
                reason == null ? null : reason.wireName(),
                after.compromisedSince(),
                after.kid(),
                step.before().status().wireName());
    }

    private static @Nullable Object[] row(SigningKey key, byte @Nullable [] privatePart) {
        String purpose = key.purpose().wireName();
        boolean isActive = key.status() == KeyStatus.ACTIVE && privatePart != null;
        return new @Nullable Object[] {
            key.kid(),
            key.x(),
            purpose,
            key.status().wireName(),
            isActive ? purpose : null,
            key.validFrom(),
            text(key.attestations()),
            privatePart
        };
    }

    private static SigningKey key(ResultSet row) throws SQLException {
        String reason = row.getString("revocation_reason");
        return new SigningKey(
                row.getString("kid"),
                row.getString("x"),
                RowReader.word(Purpose.values(), Purpose::wireName, row.getString("purpose")),
                RowReader.word(KeyStatus.values(), KeyStatus::wireName, row.getString("status")),
                RowReader.instant(row, "valid_from"),
                RowReader.instantOrNull(row, "valid_until"),
                RowReader.instantOrNull(row, "revoked_at"),
                reason == null ? null : RowReader.word(RevocationReason.values(), RevocationReason::wireName, reason),
                RowReader.instantOrNull(row, "compromised_since"),
                attestations(row.getString("attestations")));
    }

    /** One line for each attestation: the id of the attesting key, a space, its signature. */
    private static String text(List<KeyAttestation> attestations) {
        return attestations.stream()
                .map(attestation -> attestation.byKeyId() + " " + attestation.signature())
                .collect(Collectors.joining("\n"));
    }

    private static List<KeyAttestation> attestations(String text) {
        return Stream.of(text.split("\n"))
                .filter(line -> !line.isEmpty())
                .map(line -> line.split(" ", 2))
                .map(parts -> new KeyAttestation(parts[0], parts[1]))
                .toList();
    }
}
