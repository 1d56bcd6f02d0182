package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.CurrentKeys;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Query;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;

/** Locks the accounts of a batch and loads them: one query a table, whatever the batch. */
final class Loading {
    private static final String LOCKING =
            "SELECT " + AccountRow.COLUMNS + " FROM account WHERE user_id = ANY(?) ORDER BY user_id FOR UPDATE";

    private final Connection connection;
    private final Dialect dialect;
    private final RevisionCache revisions;

    Loading(Connection connection, Dialect dialect, RevisionCache revisions) {
        this.connection = connection;
        this.dialect = dialect;
        this.revisions = revisions;
    }

    /** Locks the rows in the order of their users, makes those that are missing, and loads what is needed. */
    Collection<LoadedAccount> load(SortedSet<UserId> users, Collection<PendingChange<?>> changes, Instant clock)
            throws SQLException {
        Map<UserId, LoadedAccount> accounts = new LinkedHashMap<>();
        Needed needed = new Needed(connection, accounts, changes);
        lock(users, accounts, needed);
        if (accounts.size() < users.size()) {
            create(users, accounts.keySet());
            accounts.clear();
            lock(users, accounts, needed);
        }
        loadRevisions(accounts);
        needed.load(dialect, clock);
        return accounts.values();
    }

    /** Makes what anybody remembers of accounts void, so that all lock them for a while and each has its turn. */
    static void renounce(Connection connection, Collection<UserId> users) throws SQLException {
        Sql.update(
                connection,
                "UPDATE account SET changes = changes + 1 WHERE user_id = ANY(?)",
                Parameter.uuids(users, UserId::value));
        connection.commit();
    }

    /** Locks the rows and does nothing else. */
    void lock(SortedSet<UserId> users) throws SQLException {
        Sql.all(connection, dialect, List.of(locking(users, new LinkedHashMap<>())));
    }

    /**
     * Locks the rows, then reads what is under their lock. PostgreSQL locks them in their order; the order in which H2
     * does is no matter, since its one node has no account in two lanes.
     */
    private void lock(SortedSet<UserId> users, Map<UserId, LoadedAccount> accounts, Needed needed) throws SQLException {
        List<Query> queries = new ArrayList<>();
        queries.add(locking(users, accounts));
        queries.addAll(needed.tallies());
        queries.add(JournalTail.of(dialect, users, accounts));
        Sql.all(connection, dialect, queries);
    }

    private static Query locking(SortedSet<UserId> users, Map<UserId, LoadedAccount> accounts) {
        return new Query(
                LOCKING,
                row -> {
                    LoadedAccount account = new LoadedAccount(AccountRow.read(row));
                    accounts.put(account.row().userId(), account);
                },
                Parameter.uuids(users, UserId::value));
    }

    /** In a transaction of their own: rows made while others are locked would be locked out of order. */
    private void create(Set<UserId> users, Set<UserId> present) throws SQLException {
        connection.rollback();
        List<UserId> missing =
                users.stream().filter(user -> !present.contains(user)).toList();
        Sql.update(connection, dialect.creatingAccounts(), Parameter.uuids(missing, UserId::value));
        connection.commit();
    }

    private void loadRevisions(Map<UserId, LoadedAccount> accounts) throws SQLException {
        List<LoadedAccount> missing = new ArrayList<>();
        for (LoadedAccount account : accounts.values()) {
            if (!account.recallIps(revisions)) {
                missing.add(account);
            }
        }
        eachPair(
                "SELECT t.* FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS bigint ARRAY)) AS n(u, r)"
                        + " JOIN ips_version t ON t.user_id = n.u AND t.version = n.r",
                missing,
                account -> account.row().ipsVersion(),
                row -> of(accounts, row).ips(RowReader.ips(row), revisions));
        missing.clear();
        for (LoadedAccount account : accounts.values()) {
            if (!account.recallPortfolio(revisions)) {
                missing.add(account);
            }
        }
        eachPair(
                "SELECT t.* FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS bigint ARRAY)) AS n(u, r)"
                        + " JOIN portfolio_revision t ON t.user_id = n.u AND t.revision = n.r",
                missing,
                account -> account.row().portfolioRev(),
                row -> of(accounts, row).portfolio(RowReader.portfolio(row), revisions));
        loadKeys(accounts);
    }

    private void loadKeys(Map<UserId, LoadedAccount> accounts) throws SQLException {
        Map<UserId, Map<AgentKeyId, AgentKey>> missing = new HashMap<>();
        for (LoadedAccount account : accounts.values()) {
            if (!account.recallKeys(revisions)) {
                missing.put(account.row().userId(), new HashMap<>());
            }
        }
        if (!missing.isEmpty()) {
            Sql.each(
                    connection,
                    "SELECT * FROM (SELECT k.*, row_number() OVER (PARTITION BY k.user_id"
                            + CurrentKeys.LAST_TO_END_FIRST + ") AS place FROM agent_key k WHERE k.user_id = ANY(?))"
                            + " AS ordered WHERE place <= " + AgentKey.MAX_KEPT,
                    row -> Objects.requireNonNull(missing.get(RowReader.userId(row)))
                            .put(RowReader.agentKeyId(row), RowReader.key(row)),
                    Parameter.uuids(missing.keySet(), UserId::value));
            missing.forEach(
                    (user, keys) -> Objects.requireNonNull(accounts.get(user)).keys(Map.copyOf(keys), revisions));
        }
    }

    private void eachPair(
            String sql, List<LoadedAccount> accounts, Function<LoadedAccount, Number> revision, Sql.RowReader reader)
            throws SQLException {
        if (!accounts.isEmpty()) {
            Sql.each(
                    connection,
                    sql,
                    reader,
                    Parameter.uuids(accounts, account -> account.row().userId().value()),
                    Parameter.bigints(
                            accounts, account -> revision.apply(account).longValue()));
        }
    }

    private static LoadedAccount of(Map<UserId, LoadedAccount> accounts, ResultSet row) throws SQLException {
        return Objects.requireNonNull(accounts.get(RowReader.userId(row)));
    }
}
