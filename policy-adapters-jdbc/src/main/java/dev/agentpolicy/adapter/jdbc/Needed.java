package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.Sql.Parameter;
import dev.agentpolicy.adapter.jdbc.Sql.Query;
import dev.agentpolicy.domain.account.Needs;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads what the changes of a batch named: tallies, replays and requests. */
final class Needed {
    private final Connection connection;
    private final Map<UserId, LoadedAccount> accounts;
    private final Set<Need<AgentKeyId>> tallies = new LinkedHashSet<>();
    private final Set<Need<Long>> requests = new LinkedHashSet<>();
    private final Set<Need<IdempotencyKey>> replays = new LinkedHashSet<>();
    private final Set<UserId> underWay = new LinkedHashSet<>();

    /**
     * What some changes need.
     *
     * @param accounts those that are locked, by the time anything is read
     */
    Needed(Connection connection, Map<UserId, LoadedAccount> accounts, Collection<Waiting<?>> changes) {
        this.connection = connection;
        this.accounts = accounts;
        for (Waiting<?> waiting : changes) {
            Needs needs = waiting.needs();
            add(tallies, waiting.user(), needs.tally());
            add(requests, waiting.user(), needs.request());
            add(replays, waiting.user(), needs.replay());
            if (needs.underWay()) {
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

    /** Reads the rest. */
    void load() throws SQLException {
        loadKeys();
        loadReplays(replays, requests);
        loadRequests(requests);
        loadUnderWay(underWay);
    }

    /** The account may have been made after the lock was asked for; then all of this is read again. */
    private void tally(ResultSet row) throws SQLException {
        LoadedAccount account = accounts.get(Rows.userId(row));
        if (account != null) {
            account.tallies().put(Rows.agentKeyId(row), Rows.tally(row));
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
                    row -> of(row).key(Rows.key(row)),
                    Parameter.uuids(missing, need -> need.user().value()),
                    Parameter.uuids(missing, need -> need.what().value()));
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
                        account.replay(Rows.replay(row));
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
                    row -> of(row).request(Rows.request(row)),
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
                    row -> of(row).request(Rows.request(row)),
                    Parameter.uuids(users, UserId::value));
        }
    }

    private LoadedAccount of(ResultSet row) throws SQLException {
        return Objects.requireNonNull(accounts.get(Rows.userId(row)));
    }

    private static <T> void add(Set<Need<T>> needs, UserId user, @Nullable T what) {
        if (what != null) {
            needs.add(new Need<>(user, what));
        }
    }

    /** One thing of one user. */
    private record Need<T>(UserId user, T what) {}
}
