package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.Table;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.RowBuffer;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Match;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.adapter.jdbc.sql.Sql.SqlQuery;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements by which a batch becomes durable. The journal of an account is its chain of events. Its snapshot, the
 * account row with the tallies, says up to which event it includes the journal; at most {@link Dialect#MAX_TAIL} decisions
 * follow after that.
 */
record Journal(Dialect dialect) {

    /**
     * Appends events to accounts that are not locked, and commits them.
     *
     * @param snapshots the row of each account that this node started from
     * @return whether every snapshot is still the stored one; otherwise nothing was inserted
     * @throws SQLException also when another node has appended an event in the same place
     */
    boolean append(Connection connection, RowBuffer events, Collection<AccountRow> snapshots) throws SQLException {
        if (dialect.isDistributed()) {
            return appendByRow(connection, events, snapshots);
        }
        List<Parameter> arrays = new ArrayList<>(events.columns(Table.POLICY_EVENT));
        arrays.add(Parameter.uuids(snapshots, row -> row.userId().value()));
        arrays.add(Parameter.bigints(snapshots, AccountRow::changes));
        arrays.add(Parameter.bigints(snapshots, AccountRow::storedSeq));
        arrays.add(Parameter.uuids(snapshots, row -> row.userId().value()));
        return Sql.update(connection, dialect.appending(), arrays) == events.size(Table.POLICY_EVENT);
    }

    /** Inserts first, since that may wait for another transaction; the query then sees what that one committed. */
    private boolean appendByRow(Connection connection, RowBuffer events, Collection<AccountRow> snapshots)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            write(connection, events);
            if (areStored(connection, snapshots)) {
                connection.commit();
                return true;
            }
            connection.rollback();
            return false;
        } catch (SQLException failed) {
            rollBack(connection, failed);
            throw failed;
        }
    }

    private static boolean areStored(Connection connection, Collection<AccountRow> snapshots) throws SQLException {
        record Version(UserId user, long changes, long chainSeq) {}
        Set<Version> stored = new HashSet<>();
        Sql.each(
                connection,
                "SELECT user_id, changes, chain_seq FROM account WHERE user_id = ANY(?)",
                row -> stored.add(new Version(RowReader.userId(row), row.getLong("changes"), row.getLong("chain_seq"))),
                Parameter.uuids(snapshots, row -> row.userId().value()));
        return snapshots.stream()
                .allMatch(row -> stored.contains(new Version(row.userId(), row.changes(), row.storedSeq())));
    }

    private static void rollBack(Connection connection, SQLException failed) {
        try {
            connection.rollback();
        } catch (SQLException lost) {
            failed.addSuppressed(lost);
        }
    }

    /** Writes rows of locked accounts and commits; on PostgreSQL that is not distributed in one round trip. */
    void commit(Connection connection, RowBuffer rows) throws SQLException {
        if (dialect.takesManyAtOnce() && !dialect.isDistributed() && !rows.isEmpty()) {
            List<Parameter> arrays = rows.tables().stream()
                    .flatMap(table -> rows.columns(table).stream())
                    .toList();
            Sql.update(connection, dialect.committing(rows.tables()), arrays);
        } else {
            write(connection, rows);
        }
        connection.commit();
    }

    private void write(Connection connection, RowBuffer rows) throws SQLException {
        for (Table table : rows.tables()) {
            if (dialect.isDistributed()) {
                Sql.updateEach(connection, dialect.writing(table), table.columns(), rows.rowsOf(table));
            } else {
                Sql.update(connection, dialect.writing(table), rows.columns(table));
            }
        }
    }

    /** Whether an event is stored. It settles whether a transaction was committed whose COMMIT had no answer. */
    boolean contains(Connection connection, PolicyEvent event) throws SQLException {
        List<String> hashes = new ArrayList<>(1);
        Sql.all(
                connection,
                dialect,
                List.of(Sql.matching(
                        dialect,
                        "policy_event",
                        row -> hashes.add(EventColumns.hash(row, "hash")),
                        new Match(
                                "user_id",
                                Parameter.uuids(
                                        List.of(event), it -> it.userId().value())),
                        new Match("seq", Parameter.bigints(List.of(event), PolicyEvent::seq)))));
        return hashes.contains(event.hash());
    }

    /** The query that replays the tails of locked accounts; it must come after those that read rows and tallies. */
    SqlQuery replayingTails(Collection<UserId> users, Map<UserId, AccountSession> accounts) {
        return new SqlQuery(
                "SELECT e.user_id, e.seq, e.hash, e.created_at, e.agent_key_id,"
                        + " t.tally_day, t.calls, t.usd, t.pending_buys, t.completed_buys, t.completed_sells, t.pending"
                        + " FROM account a JOIN " + dialect.tailsOfUsers()
                        + " LEFT JOIN tally t ON t.user_id = e.user_id AND t.agent_key_id = e.agent_key_id"
                        + " WHERE a.user_id = ANY(?) ORDER BY e.user_id, e.seq",
                row -> replay(row, accounts.get(RowReader.userId(row))),
                Sql.withUsers(dialect, Parameter.uuids(users, UserId::value)));
    }

    /** An account that was created after the lock was asked for is not loaded yet; everything is then read again. */
    private static void replay(ResultSet row, @Nullable AccountSession account) throws SQLException {
        if (account == null) {
            return;
        }
        ChainHead event = new ChainHead(
                account.userId(),
                row.getLong("seq"),
                EventColumns.hash(row, "hash"),
                RowReader.instant(row, "created_at"));
        AccountRow before = account.before();
        boolean isNext = event.seq() == before.head().seq() + 1 && event.seq() <= before.storedSeq() + Dialect.MAX_TAIL;
        if (!isNext || row.getObject("agent_key_id") == null) {
            throw new IllegalStateException("The chain of account " + before.userId() + " is at " + event.seq()
                    + ", its snapshot at " + before.storedSeq() + ", and the events between are not decisions only.");
        }
        account.replay(event, RowReader.agentKeyId(row), RowReader.tallyOrNone(row));
    }
}
