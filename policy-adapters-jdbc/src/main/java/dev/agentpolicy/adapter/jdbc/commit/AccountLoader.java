package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Match;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.adapter.jdbc.sql.Sql.RowHandler;
import dev.agentpolicy.adapter.jdbc.sql.Sql.SqlQuery;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.LoadSpec.SyncLoad;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Locks the accounts of a batch and loads what its changes need: one query a table, however large the batch. PostgreSQL
 * takes the lock, the tallies and the journal's tails in one round trip.
 */
final class AccountLoader {
    private static final Part<AgentKeyId> KEY = new Part<>("agent_key_id", "uuid", AgentKeyId::value);

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
        load(
                "ips_version",
                missing(account -> account.findIps(revisions), row -> (long) row.ipsVersion()),
                row -> account(row).ips(RowReader.ips(row), revisions),
                new Part<>("version", "bigint", version -> version));
        load(
                "portfolio_revision",
                missing(account -> account.findPortfolio(revisions), AccountRow::portfolioRev),
                row -> account(row).portfolio(RowReader.portfolio(row), revisions),
                new Part<>("revision", "bigint", revision -> revision));
        loadKeys();
        // Keys that ended too long ago to be among those that are always loaded.
        tallies.removeIf(need -> !account(need.user).mayLack(need.what));
        load("agent_key", tallies, row -> account(row).key(RowReader.key(row)), KEY);
        loadCalls(needs(changes, needs -> needs.calls() ? needs.tally() : null), clock);
        load("service_request", "t.status = 'pending'", needs(changes, LoadSpec::pendingOf), this::request, KEY);
        Set<Need<Long>> requests = needs(changes, LoadSpec::request);
        requests.addAll(needsOfSyncs(changes, SyncLoad::requests));
        loadReplays(needs(changes, LoadSpec::replay), requests);
        load("service_request", requests, this::request, new Part<>("id", "bigint", id -> id));
        load(
                "service_request",
                "t.status = 'pending' AND t.accepted_at IS NOT NULL",
                needs(changes, needs -> needs.unfilled() ? true : null),
                this::request);
        List<Need<Boolean>> unsigned = needs(changes, needs -> needs.unsigned() ? true : null).stream()
                .filter(need -> account(need.user).before().passkeys().countsUnsigned())
                .toList();
        load(
                "service_request",
                "t.unsigned_at > " + Timestamps.literal(clock.minus(OwnerPasskeys.WITHIN)),
                unsigned,
                this::request);
        load(
                "custodian_fill",
                needsOfSyncs(changes, AccountLoader::fills),
                row -> account(row).fill(row.getString("custodian_id"), row.getString("fill_id")),
                new Part<>("custodian_id", "varchar", FillRef::custodian),
                new Part<>("fill_id", "varchar", FillRef::id));
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
            queries.add(matching("tally", tallies, this::tally, KEY));
        }
        queries.add(new Journal(dialect).replayingTails(users, accounts));
        Sql.all(connection, dialect, queries);
    }

    private SqlQuery locking(SortedSet<UserId> users) {
        return new SqlQuery(
                AccountRow.LOCKING,
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

    /** The revisions of accounts for which the cache has none. */
    private List<Need<Long>> missing(Predicate<AccountSession> isFound, Function<AccountRow, Long> revision) {
        return accounts.values().stream()
                .filter(isFound.negate())
                .map(account -> new Need<>(account.userId(), revision.apply(account.before())))
                .toList();
    }

    private void loadKeys() throws SQLException {
        Map<UserId, Map<AgentKeyId, AgentKey>> missing = new HashMap<>();
        missing(account -> account.findKeys(revisions), AccountRow::keysRev)
                .forEach(need -> missing.put(need.user, new HashMap<>()));
        if (missing.isEmpty()) {
            return;
        }
        Sql.each(
                connection,
                "SELECT * FROM (SELECT k.*, row_number() OVER (PARTITION BY k.user_id" + RowReader.LAST_TO_END_FIRST
                        + ") AS place FROM agent_key k WHERE k.user_id = ANY(?)) AS ordered WHERE place <= "
                        + AgentKey.MAX_KEPT,
                row -> Objects.requireNonNull(missing.get(RowReader.userId(row)))
                        .put(RowReader.agentKeyId(row), RowReader.key(row)),
                Parameter.uuids(missing.keySet(), UserId::value));
        missing.forEach((user, keys) -> {
            AccountSession account = account(user);
            account.keys(revisions.keys().keep(user, account.before().keysRev(), Map.copyOf(keys)));
        });
    }

    // What the changes need beside that

    /** Locks the counts of keys with a daily call cap, in a fixed order; no other call is counted until the commit. */
    private void loadCalls(Set<Need<AgentKeyId>> calls, Instant clock) throws SQLException {
        List<Need<AgentKeyId>> capped = calls.stream()
                .filter(need -> account(need.user).isCapped(need.what))
                .sorted(Comparator.<Need<AgentKeyId>, UserId>comparing(Need::user)
                        .thenComparing(need -> need.what.value()))
                .toList();
        if (!capped.isEmpty()) {
            Sql.each(
                    connection,
                    dialect.lockingDailyCalls(),
                    row -> account(row).calls(RowReader.agentKeyId(row), row.getLong("calls")),
                    Sql.withUsers(
                            dialect,
                            users(capped),
                            KEY.of(capped),
                            Parameter.of(
                                    "date",
                                    capped,
                                    need -> LocalDate.ofInstant(
                                            account(need.user).now(clock), ZoneOffset.UTC))));
        }
    }

    /** Loads replays and adds the requests that they created to those that are needed. */
    private void loadReplays(Set<Need<IdempotencyKey>> replays, Set<Need<Long>> requests) throws SQLException {
        load(
                "idempotency",
                replays,
                row -> {
                    AccountSession account = account(row);
                    account.replay(RowReader.replay(row));
                    requests.add(new Need<>(account.userId(), row.getLong("request_id")));
                },
                new Part<>("agent_key_id", "uuid", replay -> replay.agentKeyId().value()),
                new Part<>("idempotency_key", "varchar", IdempotencyKey::value));
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

    // Needs and their queries

    /** Something of one user that a change needs. */
    private record Need<T>(UserId user, T what) {}

    /** A fill of a custodian. */
    private record FillRef(String custodian, String id) {}

    /** A column by which rows are found. */
    private record Part<T>(String column, String type, Function<T, Object> value) {
        Parameter of(Collection<Need<T>> needs) {
            return Parameter.of(type, needs, need -> value.apply(need.what));
        }
    }

    /** Reads the rows that are needed; asks nothing if there is no need. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    private <T> void load(String table, Collection<Need<T>> needs, RowHandler handler, Part<T>... parts)
            throws SQLException {
        load(table, "", needs, handler, parts);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private <T> void load(
            String table, String condition, Collection<Need<T>> needs, RowHandler handler, Part<T>... parts)
            throws SQLException {
        if (!needs.isEmpty()) {
            SqlQuery query = matching(table, needs, handler, parts);
            Sql.all(connection, dialect, List.of(condition.isEmpty() ? query : query.where(condition)));
        }
    }

    @SafeVarargs
    private <T> SqlQuery matching(String table, Collection<Need<T>> needs, RowHandler handler, Part<T>... parts) {
        List<Match> columns = new ArrayList<>();
        columns.add(new Match("user_id", users(needs)));
        for (Part<T> part : parts) {
            columns.add(new Match(part.column, part.of(needs)));
        }
        return Sql.matching(dialect, table, handler, columns.toArray(Match[]::new));
    }

    private static <T> Parameter users(Collection<Need<T>> needs) {
        return Parameter.uuids(needs, need -> need.user.value());
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
}
