package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One try at recording some changes in one transaction. */
final class Batch {
    private final List<PendingChange<?>> changes;
    private final Dialect dialect;
    private final Map<UserId, OpenAccount> accounts = new LinkedHashMap<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final Writes writes = new Writes();
    private boolean isFromMemory;
    private boolean isTrailing;
    private List<LoadedAccount> remembered = List.of();

    Batch(List<PendingChange<?>> changes, Dialect dialect) {
        this.changes = changes;
        this.dialect = dialect;
    }

    /** Takes all accounts as they are remembered, if they are; then none is locked before its changes are applied. */
    boolean remember(AccountCache memory, RevisionCache revisions) {
        Map<UserId, List<LoadSpec>> needs = changes.stream()
                .collect(Collectors.groupingBy(
                        PendingChange::user,
                        TreeMap::new,
                        Collectors.mapping(PendingChange::needs, Collectors.toList())));
        List<LoadedAccount> found = new ArrayList<>(needs.size());
        needs.forEach((user, all) -> memory.find(user, all, revisions).ifPresent(found::add));
        isFromMemory = found.size() == needs.size();
        remembered = isFromMemory ? found : List.of();
        return isFromMemory;
    }

    /** Does everything that can be done before the commit. */
    void write(Connection connection, RevisionCache revisions, EventSealer sealing, Instant clock) throws SQLException {
        // A driver that is not to commit by itself would begin a transaction with a message, and an answer, of its own.
        connection.setAutoCommit(isFromMemory && dialect.takesManyAtOnce());
        RequestIds requestIds = new RequestIds(connection, dialect);
        Collection<LoadedAccount> loaded =
                isFromMemory ? remembered : new Loading(connection, dialect, revisions).load(users(), changes, clock);
        loaded.forEach(account -> accounts.put(account.row().userId(), account.open(clock, requestIds)));
        for (PendingChange<?> waiting : changes) {
            OpenAccount account = Objects.requireNonNull(accounts.get(waiting.user()));
            answers.add(waiting.applyTo(account, sealing));
        }
        isTrailing = mayTrail();
        if (isTrailing) {
            accounts.values().forEach(account -> account.trailTo(writes));
        } else {
            accounts.values().forEach(account -> account.writeTo(writes));
        }
    }

    /** Whether nothing is to be written that needs the lock. */
    boolean needsNoLock() {
        return isTrailing || isFromMemory && accounts.values().stream().allMatch(OpenAccount::hasGrown);
    }

    /** Whether the events are enough; what came alone is written whole, since nobody waits for it to be done. */
    private boolean mayTrail() {
        return isFromMemory && changes.size() > 1 && accounts.values().stream().allMatch(OpenAccount::mayTrail);
    }

    /** Commits; where the database takes many statements at once, in the round trip that brings it the rows. */
    void commit(Connection connection) throws SQLException {
        if (isFromMemory) {
            commitFromMemory(connection);
            return;
        }
        writes.send(connection, dialect);
        follow(connection);
        connection.commit();
    }

    private void follow(Connection connection) throws SQLException {
        dialect.filters().follow(connection, accounts.values().stream().map(OpenAccount::growth));
    }

    private void commitFromMemory(Connection connection) throws SQLException {
        try {
            if (isTrailing) {
                Map<UserId, AccountRow> before = new HashMap<>();
                accounts.forEach((user, account) -> before.put(user, account.before()));
                writes.sendTrailing(connection, dialect, before);
            } else {
                List<Long> places = accounts.values().stream()
                        .map(account -> account.before().storedSeq())
                        .toList();
                writes.sendGrown(connection, dialect, places);
            }
            follow(connection);
            if (connection.getAutoCommit()) {
                connection.setAutoCommit(false);
            } else {
                connection.commit();
            }
        } catch (SQLException failed) {
            rollBack(connection, failed);
            throw failed;
        }
    }

    private static void rollBack(Connection connection, SQLException failed) {
        try {
            connection.setAutoCommit(false);
            connection.rollback();
        } catch (SQLException broken) {
            failed.addSuppressed(broken);
        }
    }

    /**
     * Whether the transaction of this try was committed although its answer was lost. Locks its accounts first: while the
     * server still works on that commit it still holds them.
     */
    boolean isRecorded(Connection connection) throws SQLException {
        new Loading(connection, dialect, RevisionCache.empty()).lock(users());
        PolicyEvent event = first();
        List<Boolean> found = new ArrayList<>(1);
        if (event != null) {
            Sql.each(
                    connection,
                    "SELECT 1 FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS uuid ARRAY)) AS n(u, e)"
                            + " JOIN policy_event t ON t.event_id = n.e AND t.user_id = n.u",
                    row -> found.add(true),
                    Parameter.uuids(List.of(event), it -> it.userId().value()),
                    Parameter.uuids(List.of(event), PolicyEvent::eventId));
        }
        return !found.isEmpty();
    }

    /** Whether nothing was locked before its commit. */
    boolean isFromMemory() {
        return isFromMemory;
    }

    /** After the commit: what it made current is remembered. */
    void keep(RevisionCache revisions, KeyCache known, AccountCache memory) {
        accounts.values().forEach(account -> account.remember(revisions, known, memory));
    }

    /** Give the callers their answers; to be run after the commit only. */
    List<Runnable> answers() {
        return answers;
    }

    /** Where the chains end that have new events. */
    Stream<ChainHead> heads() {
        return accounts.values().stream()
                .filter(account -> account.events() > 0)
                .map(OpenAccount::head);
    }

    int events() {
        return accounts.values().stream().mapToInt(OpenAccount::events).sum();
    }

    private @Nullable PolicyEvent first() {
        for (OpenAccount account : accounts.values()) {
            PolicyEvent first = account.first();
            if (first != null) {
                return first;
            }
        }
        return null;
    }

    SortedSet<UserId> users() {
        return changes.stream().map(PendingChange::user).collect(Collectors.toCollection(TreeSet::new));
    }
}
