package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.SealedCredentials;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stores encrypted credentials in the rows of the custodians. */
public record JdbcSealedCredentials(Reads reads, Transactions transactions, QueryExecutor queries, InstantSource clock)
        implements SealedCredentials {
    private static final String OF_CUSTODIAN = " WHERE user_id = ? AND custodian_id = ?";
    private static final String SELECTING = "SELECT user_id, custodian_id, credentials FROM custodian";

    @Override
    public boolean store(
            UserId user,
            String custodian,
            long version,
            BrokerEnvironment environment,
            Function<SealedKey, byte[]> sealing) {
        OffsetDateTime dueAt = Timestamps.column(Instants.truncated(clock.instant()));
        return queries.await(() -> Retries.whenAnswerIsLost(() -> transactions.inOne(connection -> {
            byte[] credentials = sealing.apply(JdbcSealedKeys.lockActive(connection));
            List<Long> stored = Reads.list(
                    connection,
                    "SELECT version FROM custodian" + OF_CUSTODIAN + " FOR UPDATE",
                    row -> row.getLong("version"),
                    user.value(),
                    custodian);
            if (stored.isEmpty()) {
                Transactions.update(
                        connection,
                        "INSERT INTO custodian(user_id, custodian_id, version, environment, credentials, due_at)"
                                + " VALUES (?, ?, ?, ?, ?, ?)",
                        user.value(),
                        custodian,
                        version,
                        environment.wireName(),
                        credentials,
                        dueAt);
                return true;
            }
            return Transactions.update(
                            connection,
                            "UPDATE custodian SET version = ?, environment = ?, credentials = ?, due_at = ?,"
                                    + " holder = NULL, held_until = NULL" + OF_CUSTODIAN + " AND version <= ?",
                            version,
                            environment.wireName(),
                            credentials,
                            dueAt,
                            user.value(),
                            custodian,
                            version)
                    > 0;
        })));
    }

    @Override
    public Optional<SealedCredential> find(UserId user, String custodian) {
        return queries.await(
                () -> reads.first(SELECTING + OF_CUSTODIAN, JdbcSealedCredentials::sealed, user.value(), custodian));
    }

    @Override
    public boolean delete(UserId user, String custodian, long version) {
        return queries.await(() -> transactions.update(
                        "DELETE FROM custodian" + OF_CUSTODIAN + " AND version <= ?", user.value(), custodian, version)
                > 0);
    }

    @Override
    public List<SealedCredential> all() {
        return reads.list(SELECTING, JdbcSealedCredentials::sealed);
    }

    @Override
    public int reseal(UnaryOperator<SealedCredential> sealing) {
        return transactions.inOne(connection -> {
            int resealed = 0;
            for (SealedCredential known : Reads.list(
                    connection, SELECTING + " ORDER BY user_id, custodian_id", JdbcSealedCredentials::sealed)) {
                resealed += reseal(connection, known, sealing);
            }
            return resealed;
        });
    }

    /** Locks one row at a time; it may have changed or gone since all were listed. */
    private static int reseal(Connection connection, SealedCredential known, UnaryOperator<SealedCredential> sealing)
            throws SQLException {
        int resealed = 0;
        for (SealedCredential sealed : Reads.list(
                connection,
                SELECTING + OF_CUSTODIAN + " FOR UPDATE",
                JdbcSealedCredentials::sealed,
                known.user().value(),
                known.custodian())) {
            resealed += Transactions.update(
                    connection,
                    "UPDATE custodian SET credentials = ?" + OF_CUSTODIAN,
                    sealing.apply(sealed).ciphertext(),
                    sealed.user().value(),
                    sealed.custodian());
        }
        return resealed;
    }

    private static SealedCredential sealed(ResultSet row) throws SQLException {
        return new SealedCredential(RowReader.userId(row), row.getString("custodian_id"), row.getBytes("credentials"));
    }
}
