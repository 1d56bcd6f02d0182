package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.commit.LaneTests;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Group commit on PostgreSQL, alone and beside other nodes. */
class PostgresLaneTest extends LaneTests {
    private final String url = TestPostgres.freshDatabaseOfOneLane();

    @Override
    public String url() {
        return url;
    }

    @Override
    public String url(JdbcStore open) {
        return url;
    }

    @Override
    public void execute(String sql) {
        TestPostgres.execute(url, sql);
    }

    @Test
    void two_nodes_make_one_chain_of_one_account() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        try (JdbcStore second = JdbcStore.open(config(url))) {
            Ports other = TestStores.ports(second, signer());
            List<CompletionStage<Long>> answers = new ArrayList<>();
            for (int i = 0; i < 160; i++) {
                answers.add(counted(ports(), user, key));
                answers.add(counted(other, user, key));
            }

            assertThat(answers.stream().map(this::answer).sorted())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 320).boxed().toList());
            assertThat(other.accountReader().tally(user, key).calls()).isEqualTo(320);
        }
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void two_nodes_never_wait_for_each_other_in_a_circle() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<UserId> users = Stream.generate(StoreSamples::user).limit(12).toList();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        try (JdbcStore second = JdbcStore.open(config(url))) {
            Ports other = TestStores.ports(second, signer());
            List<CompletionStage<Long>> answers = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Ports node = random.nextBoolean() ? ports() : other;
                answers.add(counted(node, users.get(random.nextInt(users.size())), key));
            }
            answers.forEach(this::answer);
        }
        assertThat(users.stream().mapToInt(user -> chain(user).size()).sum())
                .as("seed %d", seed)
                .isEqualTo(300);
    }

    @Test
    void a_revocation_is_seen_by_the_other_node_at_once() {
        AgentKey key = mint(StoreSamples.user());
        try (JdbcStore second = JdbcStore.open(config(url))) {
            assertThat(found(second, key)).contains(key);
            assertThat(second.accountReader().view(key.userId()).keys()).containsValue(key);
            AgentKey revoked = key.revoked(StoreSamples.START);
            record(key.userId(), account -> new Recording().key(revoked));

            assertThat(found(second, key)).contains(revoked);
            assertThat(second.accountReader().view(key.userId()).keys()).containsValue(revoked);
        }
    }

    private static Optional<AgentKey> found(JdbcStore node, AgentKey key) {
        return node.agentKeys().find(key.credentialHash()).toCompletableFuture().join();
    }

    @Test
    void a_change_that_the_database_refuses_does_not_fail_the_others_of_its_batch() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        List<CompletionStage<Long>> sound = new ArrayList<>();
        sound.add(counted(ports(), user, key));
        CompletionStage<Long> refused = ports().accounts()
                .change(
                        user,
                        StoreSamples.change(account -> new Recording()
                                .event(StoreSamples.decided(key, true, account.now()))
                                .replay(new Replay(
                                        new IdempotencyKey(key, "zero \0"), 1, StoreSamples.hash(), account.now()))
                                .answer(receipts -> receipts.get(0).seq())));
        for (int i = 0; i < 9; i++) {
            sound.add(counted(ports(), user, key));
        }

        assertThatThrownBy(() -> answer(refused)).isInstanceOf(IllegalStateException.class);
        assertThat(sound.stream().map(this::answer))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 10).boxed().toList());
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void a_database_that_goes_away_and_comes_back_is_used_again() {
        String lost = TestPostgres.freshDatabaseOfOneLane();
        String name = lost.substring(lost.lastIndexOf('/') + 1).replaceAll("\\?.*", "");
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        try (JdbcStore store = JdbcStore.open(config(lost).withPatience(Duration.ofMillis(500)))) {
            Ports ports = TestStores.ports(store, signer());
            answer(counted(ports, user, key));
            assertThat(store.isReady()).isTrue();
            execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
            execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");

            assertThat(store.isReady()).isFalse();
            CompletionStage<Long> during = counted(ports, user, key);
            if (TestPostgres.isDistributed()) {
                assertThat(answer(during))
                        .as("a lane needs its worker, and not the coordinator")
                        .isEqualTo(2);
            } else {
                assertThatThrownBy(() -> answer(during)).isInstanceOf(Unavailable.class);
            }
            assertThatThrownBy(() -> store.eventLog().head(user)).isInstanceOf(Unavailable.class);
            execute("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true");

            long next = TestPostgres.isDistributed() ? 3 : 2;
            assertThat(answer(counted(ports, user, key))).isEqualTo(next);
            assertThat(store.isReady()).isTrue();
            assertThat(store.eventLog().head(user).seq()).isEqualTo(next);
        }
    }
}
