package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.Erasure.Extent;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.port.Erasures;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Erases payloads and stores the signed entries about that. */
public record JdbcErasures(Transactions transactions) implements Erasures {
    private static final String ADDING = "INSERT INTO erasure(user_id, scope, seq, hash, erased_at, reason,"
            + " signing_key_id, signature) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    @Override
    public int erase(Erasure entry) {
        return permitted(() -> transactions.inOne(connection -> {
            int erased = clear(connection, entry);
            if (erased > 0) {
                add(connection, entry);
            }
            return erased;
        }));
    }

    @Override
    public boolean isPermitted() {
        return transactions.inOne(transactions.dialect()::mayErase);
    }

    /** The offset makes a cluster send the users to the accounts, since a table of the coordinator cannot be joined there. */
    @Override
    public List<UserId> ofDeletedAccounts(int limit) {
        return transactions.inOne(connection -> Reads.list(
                connection,
                "SELECT a.user_id FROM account a WHERE NOT EXISTS (SELECT 1"
                        + " FROM (SELECT user_id FROM app_user OFFSET 0 ROWS) AS u WHERE u.user_id = a.user_id)"
                        + " AND EXISTS (SELECT 1 FROM policy_event e WHERE e.user_id = a.user_id"
                        + " AND e.payload_canonical IS NOT NULL AND e.kind IN ("
                        + kinds(Extent.ACCOUNT) + ")) ORDER BY a.user_id LIMIT ?",
                RowReader::userId,
                limit));
    }

    /**
     * Erasing needs a right that the role of the service can do without (docs/operations.md, A role that can only add
     * events).
     */
    private static <T> T permitted(Supplier<T> change) {
        try {
            return change.get();
        } catch (IllegalStateException refused) {
            if (refused.getCause() instanceof SQLException cause && SqlFailure.isForbidden(cause)) {
                throw new UnusableDatabase(
                        "Nothing was erased: the database role lacks the right to UPDATE policy_event. Set POLICY_DB_USER"
                                + " and POLICY_DB_PASSWORD to the owner of the schema for this command. The database says: "
                                + cause.getMessage(),
                        refused);
            }
            throw refused;
        }
    }

    @Override
    public List<Erasure> signedBy(String keyId) {
        return transactions.inOne(connection ->
                Reads.list(connection, "SELECT * FROM erasure WHERE signing_key_id = ?", JdbcErasures::entry, keyId));
    }

    @Override
    public void replace(List<Erasure> entries) {
        if (!entries.isEmpty()) {
            transactions.inOne(connection -> {
                int replaced = 0;
                for (Erasure entry : entries) {
                    replaced += replace(connection, entry);
                }
                return replaced;
            });
        }
    }

    private static int replace(Connection connection, Erasure entry) throws SQLException {
        return Transactions.update(
                connection,
                "UPDATE erasure SET erased_at = ?, reason = ?, signing_key_id = ?, signature = ?"
                        + " WHERE user_id = ? AND scope = ? AND seq = ? AND hash = ?",
                Timestamps.column(entry.erasedAt()),
                entry.reason(),
                entry.signingKeyId(),
                EventColumns.signature(entry.signature()),
                entry.userId().value(),
                stored(entry.scope()),
                entry.seq(),
                EventColumns.hash(entry.hash()));
    }

    private static int clear(Connection connection, Erasure entry) throws SQLException {
        String sql = "UPDATE policy_event SET payload_canonical = NULL WHERE user_id = ? AND seq "
                + (entry.scope() == Extent.ROW ? "=" : "<=") + " ? AND payload_canonical IS NOT NULL AND kind IN ("
                + kinds(entry.scope()) + ") AND EXISTS (SELECT 1 FROM policy_event n WHERE n.user_id = ? AND n.seq = ?"
                + " AND n.hash = ?)";
        return Transactions.update(
                connection,
                sql,
                entry.userId().value(),
                entry.seq(),
                entry.userId().value(),
                entry.seq(),
                EventColumns.hash(entry.hash()));
    }

    private static String kinds(Extent scope) {
        return Stream.of(EventKind.values())
                .filter(scope::mayErase)
                .map(kind -> Short.toString(EventColumns.kind(kind)))
                .collect(Collectors.joining(", "));
    }

    private static void add(Connection connection, Erasure entry) throws SQLException {
        Transactions.update(
                connection,
                ADDING,
                entry.userId().value(),
                stored(entry.scope()),
                entry.seq(),
                EventColumns.hash(entry.hash()),
                Timestamps.column(entry.erasedAt()),
                entry.reason(),
                entry.signingKeyId(),
                EventColumns.signature(entry.signature()));
    }

    /**
     * Adds the entries about the rows of a page. They must be read after the rows: an entry is committed together with its
     * erasure, so every erased row then has its entry.
     */
    public static EventPage explained(Connection connection, UserId user, EventPage page) throws SQLException {
        List<PolicyEvent> erased = page.erasedRows();
        if (erased.isEmpty()) {
            return page;
        }
        Object[] places = erased.stream().map(PolicyEvent::seq).toArray();
        long first = erased.stream().mapToLong(PolicyEvent::seq).min().orElseThrow();
        return page.explainedBy(Reads.list(
                connection,
                "SELECT * FROM erasure WHERE user_id = ? AND (scope = ? AND seq = ANY(?) OR scope = ? AND seq >= ?)"
                        + " ORDER BY seq",
                JdbcErasures::entry,
                user.value(),
                stored(Extent.ROW),
                connection.createArrayOf("bigint", places),
                stored(Extent.ACCOUNT),
                first));
    }

    /** How many entries a chain has. */
    static long count(Connection connection, UserId user) throws SQLException {
        return Reads.list(
                        connection,
                        "SELECT count(*) FROM erasure WHERE user_id = ?",
                        row -> row.getLong(1),
                        user.value())
                .get(0);
    }

    private static Erasure entry(ResultSet row) throws SQLException {
        return new Erasure(
                RowReader.userId(row),
                RowReader.word(Extent.values(), JdbcErasures::stored, row.getString("scope")),
                row.getLong("seq"),
                EventColumns.hash(row, "hash"),
                RowReader.instant(row, "erased_at"),
                row.getString("reason"),
                row.getString("signing_key_id"),
                EventColumns.signature(row));
    }

    private static String stored(Extent scope) {
        return scope.name().toLowerCase(Locale.ROOT);
    }
}
