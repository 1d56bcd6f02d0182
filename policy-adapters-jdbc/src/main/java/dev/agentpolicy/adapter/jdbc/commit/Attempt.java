package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowBuffer;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One attempt at recording a batch of changes in one transaction, by one of the two protocols of {@link GroupCommit}.
 * Whatever fails, nothing of the batch is recorded.
 */
final class Attempt {
    private final List<PendingChange<?>> changes;
    private final Dialect dialect;
    private final Journal journal;
    private final EventSealer sealer;
    private final Map<UserId, AccountSession> accounts = new LinkedHashMap<>();
    private final List<Runnable> answers = new ArrayList<>();
    private boolean isAppend;
    private boolean isOutcomeUnknown;

    Attempt(List<PendingChange<?>> changes, Dialect dialect, EventSealer sealer) {
        this.changes = changes;
        this.dialect = dialect;
        this.journal = new Journal(dialect);
        this.sealer = sealer;
    }

    // The append protocol

    /**
     * Chooses the append protocol if it fits, and applies the changes. It fits if every change declares that it records
     * decisions only, the cache has everything that the changes need, and no journal's tail would become too long.
     *
     * @return whether the attempt is to be finished by {@link #append}; it is not if a change that was applied recorded
     *     something else, or nothing, which only a lock can confirm
     */
    boolean beginAppend(Connection connection, AccountCache cache, RevisionCache revisions, Instant clock)
            throws SQLException {
        Map<UserId, List<PendingChange<?>>> byUser =
                changes.stream().collect(Collectors.groupingBy(PendingChange::user, TreeMap::new, Collectors.toList()));
        for (Map.Entry<UserId, List<PendingChange<?>>> each : byUser.entrySet()) {
            AccountSession cached = cache.find(each.getKey(), each.getValue(), revisions);
            if (cached == null) {
                return false;
            }
            accounts.put(each.getKey(), cached);
        }
        isAppend = true;
        connection.setAutoCommit(true);
        apply(connection, clock);
        return accounts.values().stream().allMatch(AccountSession::isAppendable);
    }

    /**
     * Appends the events and commits them.
     *
     * @return whether it is committed; if not, an account was not as cached, and nothing was recorded
     */
    boolean append(Connection connection) throws SQLException {
        RowBuffer events = new RowBuffer();
        accounts.values().forEach(account -> account.appendTo(events));
        List<AccountRow> snapshots =
                accounts.values().stream().map(AccountSession::before).toList();
        try {
            return journal.append(connection, events, snapshots);
        } catch (SQLException failed) {
            throw classified(failed);
        }
    }

    // The locked protocol

    /** Locks and loads the accounts, applies the changes, writes all rows and commits. */
    void lock(Connection connection, RevisionCache revisions, KeyRoutes routes, Instant clock) throws SQLException {
        connection.setAutoCommit(false);
        new AccountLoader(connection, dialect, revisions)
                .load(users(), changes, clock)
                .forEach(account -> accounts.put(account.userId(), account));
        apply(connection, clock);
        RowBuffer rows = new RowBuffer();
        accounts.values().forEach(account -> account.writeTo(rows));
        routes.add(accounts.values().stream().flatMap(AccountSession::changedKeys));
        try {
            journal.commit(connection, rows);
        } catch (SQLException failed) {
            throw classified(failed);
        }
    }

    private void apply(Connection connection, Instant clock) {
        RequestIds requestIds = new RequestIds(connection, dialect);
        accounts.values()
                .forEach(account -> account.open(clock, dialect.drawsIds() ? requestIds : account::nextRequest));
        for (PendingChange<?> waiting : changes) {
            answers.add(waiting.applyTo(Objects.requireNonNull(accounts.get(waiting.user())), sealer));
        }
    }

    private SQLException classified(SQLException failed) {
        isOutcomeUnknown = SqlFailure.leavesCommitUnknown(failed);
        return failed;
    }

    // What became of it

    /** Whether it failed in a way that leaves open whether it was committed. */
    boolean isOutcomeUnknown() {
        return isOutcomeUnknown;
    }

    /**
     * Finds out whether this attempt was committed although its COMMIT had no answer. It locks the accounts first: a
     * server that still works on that transaction still holds their locks.
     */
    boolean wasCommitted(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        new AccountLoader(connection, dialect, RevisionCache.empty()).lock(users());
        for (AccountSession account : accounts.values()) {
            PolicyEvent first = account.firstEvent();
            if (first != null) {
                return journal.contains(connection, first);
            }
        }
        return false;
    }

    /** Whether it uses the append protocol, which holds no lock by which to tell that the server is done with it. */
    boolean isAppend() {
        return isAppend;
    }

    /** Caches what was committed. */
    void cache(RevisionCache revisions, KeyCache keys, AccountCache cache) {
        accounts.values().forEach(account -> account.cache(isAppend, revisions, keys, cache));
    }

    /** Tasks that complete the futures of the callers; to be run after the commit only. */
    List<Runnable> answers() {
        return answers;
    }

    /** The ends of the chains that have new events. */
    Stream<ChainHead> heads() {
        return accounts.values().stream()
                .filter(account -> account.events() > 0)
                .map(AccountSession::head);
    }

    int events() {
        return accounts.values().stream().mapToInt(AccountSession::events).sum();
    }

    SortedSet<UserId> users() {
        return changes.stream().map(PendingChange::user).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Draws ids for the requests of one batch, several at a time. They are drawn while the accounts are locked, so that of one
     * user's requests the later one has the higher id, whichever node created it.
     */
    private static final class RequestIds implements LongSupplier {
        private static final int MAX_AT_ONCE = 64;

        private final Connection connection;
        private final Dialect dialect;
        private final Queue<Long> drawn = new ArrayDeque<>();
        private int next = 1;

        RequestIds(Connection connection, Dialect dialect) {
            this.connection = connection;
            this.dialect = dialect;
        }

        @Override
        public long getAsLong() {
            if (drawn.isEmpty()) {
                try {
                    drawn.addAll(Reads.list(connection, dialect.drawingIds(), row -> row.getLong(1), next));
                } catch (SQLException failed) {
                    throw new SqlFailed(failed);
                }
                next = Math.min(2 * next, MAX_AT_ONCE);
            }
            return drawn.remove();
        }
    }
}
