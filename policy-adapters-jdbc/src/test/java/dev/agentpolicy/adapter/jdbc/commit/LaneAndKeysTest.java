package dev.agentpolicy.adapter.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.HandoverBench;
import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.OnLanes;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.StoreSamples;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A lane has to look for the present key now and then, and must not be held up by others who read or look. */
class LaneAndKeysTest extends HandoverBench {
    private final UserId user = StoreSamples.user();

    @Test
    void a_lane_and_whoever_makes_a_key_active_do_not_wait_for_each_other() {
        Node node = node(url("H2"));
        AgentKey key = node.mint(user);
        node.decide(user, key.id(), true);
        node.ring().prepareNext(clock.instant().plus(NOTICE));
        clock.advance(NOTICE);

        CompletionStage<Boolean> decided = node.ports().accounts().change(user, StoreSamples.change(account -> {
            Thread other = DaemonThreads.named("activates").newThread(node.ring()::refresh);
            other.start();
            while (other.getState() != Thread.State.WAITING && other.isAlive()) {
                Thread.onSpinWait();
            }
            return new Outcome.Recording()
                    .event(StoreSamples.decided(key.id(), true, account.now()))
                    .answer(receipts -> true);
        }));

        assertThat(decided).succeedsWithin(Duration.ofSeconds(10));
        assertThat(node.chain(user).get(node.chain(user).size() - 1).signingKeyId())
                .isEqualTo(node.signsWith());
    }

    @Test
    void readers_who_have_all_connections_do_not_hold_up_a_lane_for_every_change() throws Exception {
        DatabaseConfig usual = TestStores.config(url("H2"), clock);
        DatabaseConfig config = new DatabaseConfig(
                usual.url(),
                usual.user(),
                usual.password(),
                usual.workers(),
                0,
                1,
                usual.queue(),
                usual.patience(),
                clock,
                usual.random(),
                usual.observer(),
                usual.stop());
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        try (JdbcStore store = JdbcStore.open(config)) {
            KeyRing ring = KeyRing.open(folder.resolve("master-key.json"), store.sealedKeys(), clock);
            Ports ports = TestStores.ports(store, ring.signer(Purpose.EVENT));
            AgentKey key = StoreSamples.key(user);
            OnLanes.counted(ports, user, key.id()).toCompletableFuture().get(10, TimeUnit.SECONDS);
            CompletableFuture<Void> reader =
                    CompletableFuture.runAsync(() -> store.chains().each(head -> {
                        reading.countDown();
                        OnLanes.await(done);
                    }));
            reading.await();
            clock.advance(Duration.ofSeconds(40));

            List<CompletableFuture<Long>> counts = Stream.generate(
                            () -> OnLanes.counted(ports, user, key.id()).toCompletableFuture())
                    .limit(8)
                    .toList();

            assertThat(CompletableFuture.allOf(counts.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(Duration.ofSeconds(6));
            done.countDown();
            reader.get(10, TimeUnit.SECONDS);
        } finally {
            done.countDown();
        }
    }
}
