package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Query;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Loads what the changes of a batch named: tallies, replays and requests. */
final class Needed {
    private final Connection connection;
    private final Map<UserId, LoadedAccount> accounts;
    private final Set<Need<AgentKeyId>> tallies = new LinkedHashSet<>();
    private final Set<Need<Long>> requests = new LinkedHashSet<>();
    private final Set<Need<IdempotencyKey>> replays = new LinkedHashSet<>();
    private final Set<Need<AgentKeyId>> pendingOf = new LinkedHashSet<>();
    private final Set<Need<AgentKeyId>> calls = new LinkedHashSet<>();
    private final Set<UserId> underWay = new LinkedHashSet<>();

    /**
     * What some changes need.
     *
     * @param accounts those that are locked, by the time anything is read
     */
    Needed(Connection connection, Map<UserId, LoadedAccount> accounts, Collection<PendingChange<?>> changes) {
        this.connection = connection;
        this.accounts = accounts;
        for (PendingChange<?> waiting : changes) {
            LoadSpec needs = waiting.needs();
            add(tallies, waiting.user(), needs.tally());
            add(requests, waiting.user(), needs.request());
            add(replays, waiting.user(), needs.replay());
            add(pendingOf, waiting.user(), needs.pendingOf());
            add(calls, waiting.user(), needs.calls() ? needs.tally() : null);
            if (needs.unfilled()) {
                underWay.add(waiting.user());
            }
        }
    }

    /** What reads the tallies, which nearly every batch needs: to be sent behind what locks the accounts. */
    List<Query> tallies() {
        return tallies.isEmpty()
                ? List.of()
                : List.of(new Query(
                        "SELECT t.* FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS uuid ARRAY)) AS n(u, k)"
                                + " JOIN tally t ON t.user_id = n.u AND t.agent_key_id = n.k",
                        this::tally,
                        Parameter.uuids(tallies, need -> need.user().value()),
                        Parameter.uuids(tallies, need -> need.what().value())));
    }

    /** Reads the rest, once the accounts are known. */
    void load(Dialect dialect, Instant clock) throws SQLException {
        loadKeys();
        loadCalls(dialect, clock);
        loadPending();
        loadReplays(replays, requests);
        loadRequests(requests);
        loadUnderWay(underWay);
    }

    /** The account may have been made after the lock was asked for; then all of this is read again. */
    private void tally(ResultSet row) throws SQLException {
        LoadedAccount account = accounts.get(RowReader.userId(row));
        if (account != null) {
            account.tallies().put(RowReader.agentKeyId(row), RowReader.tally(row));
        }
    }

    /** Loads keys that ended too long ago to be at hand. */
    private void loadKeys() throws SQLException {
        List<Need<AgentKeyId>> missing = tallies.stream()
                .filter(need ->
                        Objects.requireNonNull(accounts.get(need.user())).lacks(need.what()))
                .toList();
        if (!missing.isEmpty()) {
            Sql.each(
                    connection,
                    "SELECT t.* FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS uuid ARRAY)) AS n(u, k)"
                            + " JOIN agent_key t ON t.user_id = n.u AND t.agent_key_id = n.k",
                    row -> of(row).key(RowReader.key(row)),
                    Parameter.uuids(missing, need -> need.user().value()),
                    Parameter.uuids(missing, need -> need.what().value()));
        }
    }

    /** Locks the counts of keys with a daily call cap, so that no other call is counted until these are committed. */
    private void loadCalls(Dialect dialect, Instant clock) throws SQLException {
        SortedMap<UserId, SortedMap<UUID, LocalDate>> days = new TreeMap<>();
        for (Need<AgentKeyId> need : calls) {
            LoadedAccount account = Objects.requireNonNull(accounts.get(need.user()));
            if (account.isCapped(need.what())) {
                days.computeIfAbsent(need.user(), any -> new TreeMap<>())
                        .put(need.what().value(), LocalDate.ofInstant(account.now(clock), ZoneOffset.UTC));
            }
        }
        List<CallDay> locked = days.entrySet().stream()
                .flatMap(user -> user.getValue().entrySet().stream()
                        .map(key -> new CallDay(user.getKey(), new AgentKeyId(key.getKey()), key.getValue())))
                .toList();
        if (!locked.isEmpty()) {
            Sql.each(
                    connection,
                    dialect.lockingDailyCalls(),
                    row -> of(row).calls(RowReader.agentKeyId(row), row.getLong("calls")),
                    Parameter.uuids(locked, it -> it.user().value()),
                    Parameter.uuids(locked, it -> it.key().value()),
                    Parameter.dates(locked, CallDay::day));
        }
    }

    private void loadPending() throws SQLException {
        if (!pendingOf.isEmpty()) {
            Sql.each(
                    connection,
                    "SELECT t.* FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS uuid ARRAY)) AS n(u, k)"
                            + " JOIN service_request t ON t.user_id = n.u AND t.agent_key_id = n.k"
                            + " AND t.status = 'pending'",
                    row -> of(row).request(RowReader.request(row)),
                    Parameter.uuids(pendingOf, need -> need.user().value()),
                    Parameter.uuids(pendingOf, need -> need.what().value()));
        }
    }

    /** Loads replays and names the requests they created. */
    private void loadReplays(Set<Need<IdempotencyKey>> needs, Set<Need<Long>> requests) throws SQLException {
        if (!needs.isEmpty()) {
            Sql.each(
                    connection,
                    "SELECT t.* FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS uuid ARRAY), CAST(? AS varchar ARRAY))"
                            + " AS n(u, k, i) JOIN idempotency t"
                            + " ON t.user_id = n.u AND t.agent_key_id = n.k AND t.idempotency_key = n.i",
                    row -> {
                        LoadedAccount account = of(row);
                        account.replay(RowReader.replay(row));
                        requests.add(new Need<>(account.row().userId(), row.getLong("request_id")));
                    },
                    Parameter.uuids(needs, need -> need.user().value()),
                    Parameter.uuids(needs, need -> need.what().agentKeyId().value()),
                    Parameter.texts(needs, need -> need.what().value()));
        }
    }

    private void loadRequests(Set<Need<Long>> needs) throws SQLException {
        if (!needs.isEmpty()) {
            Sql.each(
                    connection,
                    "SELECT t.* FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS bigint ARRAY)) AS n(u, r)"
                            + " JOIN service_request t ON t.user_id = n.u AND t.id = n.r",
                    row -> of(row).request(RowReader.request(row)),
                    Parameter.uuids(needs, need -> need.user().value()),
                    Parameter.bigints(needs, Need::what));
        }
    }

    private void loadUnderWay(Set<UserId> users) throws SQLException {
        if (!users.isEmpty()) {
            Sql.each(
                    connection,
                    "SELECT * FROM service_request WHERE user_id = ANY(?) AND status = 'pending'"
                            + " AND accepted_at IS NOT NULL",
                    row -> of(row).request(RowReader.request(row)),
                    Parameter.uuids(users, UserId::value));
        }
    }

    private LoadedAccount of(ResultSet row) throws SQLException {
        return Objects.requireNonNull(accounts.get(RowReader.userId(row)));
    }

    private static <T> void add(Set<Need<T>> needs, UserId user, @Nullable T what) {
        if (what != null) {
            needs.add(new Need<>(user, what));
        }
    }

    /** The calls of one key on one day. */
    private record CallDay(UserId user, AgentKeyId key, LocalDate day) {}

    /** One thing of one user. */
    private record Need<T>(UserId user, T what) {}
}
