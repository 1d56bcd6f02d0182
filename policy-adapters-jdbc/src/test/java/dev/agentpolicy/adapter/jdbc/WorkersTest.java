package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentpolicy.adapter.jdbc.connect.Connections;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.connect.Pools;
import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node and the workers of its cluster; on a cluster only. */
class WorkersTest {
    private final List<UserId> users =
            Stream.generate(StoreSamples::user).limit(40).toList();
    private final JdkSigner signer = new JdkSigner();
    private DatabaseConfig config;

    @BeforeEach
    void distribute() {
        assumeTrue(TestPostgres.isDistributed());
        config = TestStores.config(TestPostgres.freshDatabase(), new SettableClock(StoreSamples.START));
    }

    @Test
    void lanes_write_at_the_worker_of_their_shard_and_follow_it_without_an_error() throws Exception {
        List<String> workers = texts("SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE shouldhaveshards");
        AtomicBoolean isMoving = new AtomicBoolean(true);
        try (JdbcStore store = JdbcStore.open(config)) {
            AmendIps amend = amend(store);
            recordAll(amend, "0.05");
            assertThat(connected(store)).containsAll(workers);
            CompletableFuture<Integer> recording = CompletableFuture.supplyAsync(() -> {
                int rounds = 0;
                for (; isMoving.get(); rounds++) {
                    recordAll(amend, rounds % 2 == 0 ? "0.06" : "0.05");
                }
                return rounds;
            });
            for (String moving : texts("SELECT format('SELECT citus_move_shard_placement(%s, %L, %s, %L, %s, %L)',"
                    + " s.shardid, n.nodename, n.nodeport, o.nodename, o.nodeport, 'force_logical')"
                    + " FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)"
                    + " JOIN pg_dist_node o ON o.groupid <> n.groupid AND o.shouldhaveshards"
                    + " WHERE s.logicalrelid = 'account'::regclass AND o.groupid ="
                    + " (SELECT max(groupid) FROM pg_dist_node WHERE shouldhaveshards)")) {
                TestStores.execute(config.url(), moving);
            }
            isMoving.set(false);
            int rounds = recording.join();

            assertThat(rounds).isPositive();
            assertThat(users)
                    .allSatisfy(user ->
                            assertThat(store.eventLog().head(user).seq()).isEqualTo(rounds + 1L));
        }
        try (JdbcStore after = JdbcStore.open(config)) {
            recordAll(amend(after), "0.07");
            assertThat(connected(after)).hasSize(1);
        }
    }

    @Test
    void workers_that_cannot_be_reached_straight_are_reached_through_the_coordinator() throws SQLException {
        DatabaseConfig unreachable = config.withWorkers(
                texts("SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE shouldhaveshards").stream()
                        .collect(Collectors.toMap(Function.identity(), worker -> "127.0.0.1:1")));
        try (JdbcStore store = JdbcStore.open(unreachable)) {
            recordAll(amend(store), "0.05");
            assertThat(connected(store)).isEmpty();
            assertThat(store.databaseTimes()).hasSizeGreaterThan(1);
        }
    }

    @Test
    @Timeout(60)
    void another_server_at_the_address_of_a_worker_is_given_nothing() throws SQLException {
        String coordinator = texts("SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE NOT shouldhaveshards")
                .get(0);
        List<String> workers = texts("SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE shouldhaveshards");
        try (JdbcStore store = JdbcStore.open(config.withWorkers(Map.of(workers.get(0), coordinator)))) {
            recordAll(amend(store), "0.05");
            // It is connected to again and again, to see whether it is the right one by now.
            while (connected(store).contains(coordinator)) {
                Thread.onSpinWait();
            }
            assertThat(connected(store)).containsAll(workers.subList(1, workers.size()));
        }
    }

    @Test
    void each_worker_can_be_asked_for_the_rows_of_its_own_users() throws SQLException {
        try (JdbcStore store = JdbcStore.open(config)) {
            recordAll(amend(store), "0.05");
        }
        Dialect dialect = Connections.dialect(config);
        List<UserId> found = new ArrayList<>();
        try (Pools pools = Pools.open(new Connections(config, dialect), dialect)) {
            for (ConnectionSource worker : pools.readers().workers()) {
                try (Connection connection = worker.getConnection()) {
                    for (String ofShard : dialect.ofShards(
                            connection,
                            "SELECT a.user_id FROM account a JOIN policy_event e ON e.user_id = a.user_id")) {
                        found.addAll(Reads.list(connection, ofShard, RowReader::userId));
                    }
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(users);
    }

    private AmendIps amend(JdbcStore store) {
        return new AmendIps(TestStores.accounts(store, signer, head -> {}), OwnerLimits.NONE, Runnable::run);
    }

    /** One more event of each user. */
    private void recordAll(AmendIps amend, String maxSlippage) {
        CompletableFuture.allOf(users.stream()
                        .map(user ->
                                amend.put(user, StoreSamples.ips(maxSlippage)).toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    /** The workers to which the lanes have connections. */
    private static List<String> connected(JdbcStore store) {
        return store.pools().stream()
                .filter(pool -> pool.name().startsWith("policy-lanes-") && pool.active() + pool.idle() > 0)
                .map(pool -> pool.name().substring("policy-lanes-".length()))
                .toList();
    }

    private List<String> texts(String sql) throws SQLException {
        try (Connection connection = Connections.once(config)) {
            return Reads.list(connection, sql, row -> row.getString(1));
        }
    }
}
