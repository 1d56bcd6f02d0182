package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Query;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last decisions of a chain, which its account row and its tallies do not tell of yet. A batch that begins in memory
 * and records nothing but decisions writes no more than those. Each was one call of its key, so what the rows would say
 * follows from what they say and the tail.
 */
public final class JournalTail {
    private JournalTail() {}

    /** What a key has used after one more decision, of which it has {@code before}. */
    public static Tally after(Tally before, Instant decidedAt) {
        return before.at(decidedAt).plusCall();
    }

    /** Reads the tails of accounts that are locked, behind what reads their rows and tallies. */
    static Query of(Dialect dialect, Collection<UserId> users, Map<UserId, LoadedAccount> accounts) {
        return new Query(
                "SELECT e.user_id, e.seq, e.hash, e.created_at, e.agent_key_id,"
                        + " t.tally_day, t.calls, t.usd, t.pending_buys, t.completed_buys, t.completed_sells, t.pending"
                        + " FROM account a JOIN " + dialect.tails()
                        + " LEFT JOIN tally t ON t.user_id = e.user_id AND t.agent_key_id = e.agent_key_id"
                        + " WHERE a.user_id = ANY(?) ORDER BY e.user_id, e.seq",
                row -> follow(row, accounts.get(RowReader.userId(row))),
                Parameter.uuids(users, UserId::value));
    }

    /** What a row of an account that may have a tally says of it. */
    public static Tally stored(ResultSet row) throws SQLException {
        return row.getString("usd") == null ? Tally.NONE : RowReader.tally(row);
    }

    /** The account may have been made after the lock was asked for; then all of this is read again. */
    private static void follow(ResultSet row, @Nullable LoadedAccount account) throws SQLException {
        if (account == null) {
            return;
        }
        ChainHead end = new ChainHead(
                account.row().userId(),
                row.getLong("seq"),
                EventColumns.hash(row, "hash"),
                RowReader.instant(row, "created_at"));
        AccountRow before = account.row();
        boolean isNext = end.seq() == before.head().seq() + 1 && end.seq() <= before.storedSeq() + Dialect.MAX_TAIL;
        if (!isNext || row.getObject("agent_key_id") == null) {
            throw new IllegalStateException("The chain of account " + before.userId() + " is at " + end.seq()
                    + ", its row at " + before.storedSeq() + ", and what lies between does not explain it.");
        }
        account.follow(end, RowReader.agentKeyId(row), stored(row));
    }
}
