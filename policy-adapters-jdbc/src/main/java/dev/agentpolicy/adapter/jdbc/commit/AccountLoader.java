package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.CurrentKeys;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Match;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.adapter.jdbc.sql.Sql.SqlQuery;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.LoadSpec.SyncLoad;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Locks the accounts of a batch and loads what its changes need: one query a table, however large the batch. PostgreSQL
 * takes the lock, the tallies and the journal's tails in one round trip.
 */
final class AccountLoader {
    private static final String LOCKING =
            "SELECT " + AccountRow.COLUMNS + " FROM account WHERE user_id = ANY(?) ORDER BY user_id FOR UPDATE";

    private final Connection connection;
    private final Dialect dialect;
    private final RevisionCache revisions;
    private final Map<UserId, AccountSession> accounts = new LinkedHashMap<>();

    AccountLoader(Connection connection, Dialect dialect, RevisionCache revisions) {
        this.connection = connection;
        this.dialect = dialect;
        this.revisions = revisions;
    }

    // Locks

    /** Locks the rows and does nothing else. */
    void lock(SortedSet<UserId> users) throws SQLException {
        Sql.all(connection, dialect, List.of(locking(users)));
    }

    /**
     * Makes every node's cached copy of these snapshots stale, so that all nodes use the locked protocol for a while. It
     * commits. An attempt that held the lock does this after another node has appended in the same place.
     */
    static void invalidateCaches(Connection connection, Collection<UserId> users) throws SQLException {
        connection.setAutoCommit(false);
        Sql.update(
                connection,
                "UPDATE account SET changes = changes + 1 WHERE user_id = ANY(?)",
                List.of(Parameter.uuids(users, UserId::value)));
        connection.commit();
    }

    /** Locks the rows in the order of their users, creates missing rows, and loads what the changes need. */
    Collection<AccountSession> load(SortedSet<UserId> users, Collection<PendingChange<?>> changes, Instant clock)
            throws SQLException {
        Set<Need<AgentKeyId>> tallies = needs(changes, LoadSpec::tally);
        tallies.addAll(needsOfSyncs(changes, SyncLoad::tallies));
        lock(users, tallies);
        if (accounts.size() < users.size()) {
            create(users);
            accounts.clear();
            lock(users, tallies);
        }
        loadIps();
        loadPortfolios();
        loadKeys();
        loadMissingKeys(tallies);
        loadCalls(needs(changes, needs -> needs.calls() ? needs.tally() : null), clock);
        loadPending(needs(changes, LoadSpec::pendingOf));
        Set<Need<Long>> requests = needs(changes, LoadSpec::request);
        requests.addAll(needsOfSyncs(changes, SyncLoad::requests));
        loadReplays(needs(changes, LoadSpec::replay), requests);
        loadRequests(requests);
        loadUnfilled(needs(changes, needs -> needs.unfilled() ? true : null));
        loadFills(needsOfSyncs(changes, AccountLoader::fills));
        return accounts.values();
    }

    /**
     * Locks the rows, then reads what their locks protect. PostgreSQL locks them in the order of the statement. H2 may use
     * another order, which does no harm: one node uses it, and an account belongs to one lane.
     */
    private void lock(SortedSet<UserId> users, Set<Need<AgentKeyId>> tallies) throws SQLException {
        List<SqlQuery> queries = new ArrayList<>();
        queries.add(locking(users));
        if (!tallies.isEmpty()) {
            queries.add(Sql.matching(dialect, "tally", this::tally, users(tallies), keys(tallies)));
        }
        queries.add(new Journal(dialect).replayingTails(users, accounts));
        Sql.all(connection, dialect, queries);
    }

    private SqlQuery locking(SortedSet<UserId> users) {
        return new SqlQuery(
                LOCKING,
                row -> {
                    AccountSession account = new AccountSession(AccountRow.read(row));
                    accounts.put(account.userId(), account);
                },
                Parameter.uuids(users, UserId::value));
    }

    /** An account that was created after the lock was asked for is not loaded yet; everything is then read again. */
    private void tally(ResultSet row) throws SQLException {
        AccountSession account = accounts.get(RowReader.userId(row));
        if (account != null) {
            account.tally(RowReader.agentKeyId(row), RowReader.tally(row));
        }
    }

    /** In a transaction of its own, since rows created while others are locked would be locked out of order. */
    private void create(Set<UserId> users) throws SQLException {
        connection.rollback();
        List<UserId> missing =
                users.stream().filter(user -> !accounts.containsKey(user)).toList();
        Sql.update(connection, dialect.creatingAccounts(), List.of(Parameter.uuids(missing, UserId::value)));
        connection.commit();
    }

    // Revisions, from the cache where it has them

    private void loadIps() throws SQLException {
        List<Need<Long>> missing = missing(account -> account.findIps(revisions), row -> (long) row.ipsVersion());
        each(
                missing,
                () -> Sql.matching(
                        dialect,
                        "ips_version",
                        row -> {
                            AccountSession account = account(row);
                            account.ips(revisions
                                    .ips()
                                    .keep(account.userId(), account.before().ipsVersion(), RowReader.ips(row)));
                        },
                        users(missing),
                        new Match("version", Parameter.bigints(missing, Need::what))));
    }

    private void loadPortfolios() throws SQLException {
        List<Need<Long>> missing = missing(account -> account.findPortfolio(revisions), AccountRow::portfolioRev);
        each(
                missing,
                () -> Sql.matching(
                        dialect,
                        "portfolio_revision",
                        row -> {
                            AccountSession account = account(row);
                            account.portfolio(revisions
                                    .portfolios()
                                    .keep(account.userId(), account.before().portfolioRev(), RowReader.portfolio(row)));
                        },
                        users(missing),
                        new Match("revision", Parameter.bigints(missing, Need::what))));
    }

    /** The revisions of accounts for which the cache has none. */
    private List<Need<Long>> missing(Predicate<AccountSession> isFound, Function<AccountRow, Long> revision) {
        return accounts.values().stream()
                .filter(isFound.negate())
                .map(account -> new Need<>(account.userId(), revision.apply(account.before())))
                .toList();
    }

    /** Executes a query unless there is nothing to ask for. */
    private void each(Collection<?> asked, Supplier<SqlQuery> query) throws SQLException {
        if (!asked.isEmpty()) {
            Sql.all(connection, dialect, List.of(query.get()));
        }
    }

    private void loadKeys() throws SQLException {
        Map<UserId, Map<AgentKeyId, AgentKey>> missing = new HashMap<>();
        missing(account -> account.findKeys(revisions), AccountRow::keysRev)
                .forEach(need -> missing.put(need.user(), new HashMap<>()));
        if (!missing.isEmpty()) {
            Sql.each(
                    connection,
                    "SELECT * FROM (SELECT k.*, row_number() OVER (PARTITION BY k.user_id"
                            + CurrentKeys.LAST_TO_END_FIRST + ") AS place FROM agent_key k WHERE k.user_id = ANY(?))"
                            + " AS ordered WHERE place <= " + AgentKey.MAX_KEPT,
                    row -> Objects.requireNonNull(missing.get(RowReader.userId(row)))
                            .put(RowReader.agentKeyId(row), RowReader.key(row)),
                    Parameter.uuids(missing.keySet(), UserId::value));
            missing.forEach((user, keys) -> {
                AccountSession account = Objects.requireNonNull(accounts.get(user));
                account.keys(revisions.keys().keep(user, account.before().keysRev(), Map.copyOf(keys)));
            });
        }
    }

    // What the changes need beside that

    /** Loads keys that ended too long ago to be among those that are always loaded. */
    private void loadMissingKeys(Set<Need<AgentKeyId>> tallies) throws SQLException {
        List<Need<AgentKeyId>> missing = tallies.stream()
                .filter(need -> account(need.user()).mayLack(need.what()))
                .toList();
        each(
                missing,
                () -> Sql.matching(
                        dialect,
                        "agent_key",
                        row -> account(row).key(RowReader.key(row)),
                        users(missing),
                        keys(missing)));
    }

    /** Locks the counts of keys with a daily call cap, in a fixed order; no other call is counted until the commit. */
    private void loadCalls(Set<Need<AgentKeyId>> calls, Instant clock) throws SQLException {
        List<Need<AgentKeyId>> capped = calls.stream()
                .filter(need -> account(need.user()).isCapped(need.what()))
                .sorted(Comparator.<Need<AgentKeyId>, UserId>comparing(Need::user)
                        .thenComparing(need -> need.what().value()))
                .toList();
        each(
                capped,
                () -> new SqlQuery(
                        dialect.lockingDailyCalls(),
                        row -> account(row).calls(RowReader.agentKeyId(row), row.getLong("calls")),
                        Sql.withUsers(
                                dialect,
                                users(capped).values(),
                                keys(capped).values(),
                                Parameter.dates(
                                        capped,
                                        need -> LocalDate.ofInstant(
                                                account(need.user()).now(clock), ZoneOffset.UTC)))));
    }

    private void loadPending(Set<Need<AgentKeyId>> keys) throws SQLException {
        each(
                keys,
                () -> Sql.matching(dialect, "service_request", this::request, users(keys), keys(keys))
                        .where("t.status = 'pending'"));
    }

    /** Loads replays and adds the requests that they created to those that are needed. */
    private void loadReplays(Set<Need<IdempotencyKey>> replays, Set<Need<Long>> requests) throws SQLException {
        each(
                replays,
                () -> Sql.matching(
                        dialect,
                        "idempotency",
                        row -> {
                            AccountSession account = account(row);
                            account.replay(RowReader.replay(row));
                            requests.add(new Need<>(account.userId(), row.getLong("request_id")));
                        },
                        users(replays),
                        new Match(
                                "agent_key_id",
                                Parameter.uuids(
                                        replays,
                                        need -> need.what().agentKeyId().value())),
                        new Match(
                                "idempotency_key",
                                Parameter.texts(replays, need -> need.what().value()))));
    }

    private void loadRequests(Set<Need<Long>> requests) throws SQLException {
        each(
                requests,
                () -> Sql.matching(
                        dialect,
                        "service_request",
                        this::request,
                        users(requests),
                        new Match("id", Parameter.bigints(requests, Need::what))));
    }

    /** Loads the requests of users that are accepted and not yet filled. */
    private void loadUnfilled(Set<Need<Boolean>> unfilled) throws SQLException {
        each(
                unfilled,
                () -> Sql.matching(dialect, "service_request", this::request, users(unfilled))
                        .where("t.status = 'pending' AND t.accepted_at IS NOT NULL"));
    }

    /** Loads which of the reported fills are recorded. */
    private void loadFills(Set<Need<FillRef>> fills) throws SQLException {
        each(
                fills,
                () -> Sql.matching(
                        dialect,
                        "custodian_fill",
                        row -> account(row).fill(row.getString("custodian_id"), row.getString("fill_id")),
                        users(fills),
                        new Match("custodian_id", Parameter.texts(fills, need -> need.what().custodian)),
                        new Match("fill_id", Parameter.texts(fills, need -> need.what().id))));
    }

    private static Set<FillRef> fills(SyncLoad sync) {
        return sync.fills().stream()
                .map(id -> new FillRef(sync.custodian(), id))
                .collect(Collectors.toSet());
    }

    private void request(ResultSet row) throws SQLException {
        account(row).request(RowReader.request(row));
    }

    private AccountSession account(ResultSet row) throws SQLException {
        return account(RowReader.userId(row));
    }

    private AccountSession account(UserId user) {
        return Objects.requireNonNull(accounts.get(user));
    }

    private static <T> Set<Need<T>> needs(Collection<PendingChange<?>> changes, Function<LoadSpec, @Nullable T> part) {
        Set<Need<T>> needs = new LinkedHashSet<>();
        for (PendingChange<?> waiting : changes) {
            T what = part.apply(waiting.needs());
            if (what != null) {
                needs.add(new Need<>(waiting.user(), what));
            }
        }
        return needs;
    }

    private static <T> Set<Need<T>> needsOfSyncs(
            Collection<PendingChange<?>> changes, Function<SyncLoad, Set<T>> part) {
        Set<Need<T>> needs = new LinkedHashSet<>();
        for (PendingChange<?> waiting : changes) {
            SyncLoad sync = waiting.needs().sync();
            if (sync != null) {
                part.apply(sync).forEach(what -> needs.add(new Need<>(waiting.user(), what)));
            }
        }
        return needs;
    }

    private static Match users(Collection<? extends Need<?>> needs) {
        return new Match("user_id", Parameter.uuids(needs, need -> need.user().value()));
    }

    private static Match keys(Collection<Need<AgentKeyId>> needs) {
        return new Match(
                "agent_key_id", Parameter.uuids(needs, need -> need.what().value()));
    }

    /** Something of one user that a change needs. */
    private record Need<T>(UserId user, T what) {}

    /** A fill of a custodian. */
    private record FillRef(String custodian, String id) {}
}
