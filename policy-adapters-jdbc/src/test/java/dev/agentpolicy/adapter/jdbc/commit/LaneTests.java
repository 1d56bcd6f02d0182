package dev.agentpolicy.adapter.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.StoreSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What group commit promises beyond the contract of its port, on one database. */
public abstract class LaneTests extends JournalTailTests {

    @Test
    void three_hundred_and_twenty_at_once_make_one_dense_chain() throws InterruptedException {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        int commitsBefore = commits.get();
        int writtenBefore = written.get();
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        List<Thread> callers = IntStream.range(0, 16)
                .mapToObj(i -> new Thread(() -> {
                    for (int j = 0; j < 20; j++) {
                        CompletableFuture<Long> answer =
                                counted(ports, user, key).toCompletableFuture();
                        synchronized (answers) {
                            answers.add(answer);
                        }
                    }
                }))
                .toList();
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(answers.stream().map(this::answer).sorted())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 320).boxed().toList());
        assertThat(verify(user).isIntact()).isTrue();
        assertThat(chain(user)).hasSize(320);
        assertThat(written.get() - writtenBefore).isEqualTo(320);
        assertThat(commits.get() - commitsBefore).isLessThan(320);
    }

    @Test
    void many_users_in_one_batch_each_keep_their_own_chain() {
        List<UserId> users = Stream.generate(StoreSamples::user).limit(40).toList();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        List<CompletionStage<Long>> answers = IntStream.range(0, 200)
                .mapToObj(i -> counted(ports, users.get(i % 40), key))
                .toList();

        answers.forEach(this::answer);
        assertThat(users).allSatisfy(user -> {
            assertThat(chain(user)).hasSize(5);
            assertThat(verify(user).isIntact()).isTrue();
        });
    }

    @Test
    void a_change_that_finds_the_queue_full_is_refused_at_once_and_not_recorded() throws InterruptedException {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        CompletionStage<Integer> first = narrowPorts.accounts().change(user, StoreSamples.change(account -> {
            entered.countDown();
            await(gate);
            return Outcome.nothing(0);
        }));
        entered.await();
        List<CompletionStage<Long>> others = IntStream.range(0, QUEUE + 5)
                .mapToObj(i -> counted(narrowPorts, user, key))
                .toList();
        List<CompletionStage<Long>> refused = others.subList(QUEUE, QUEUE + 5);

        assertThat(refused)
                .allSatisfy(it -> assertThat(it.toCompletableFuture()).isCompletedExceptionally());
        assertThatThrownBy(() -> answer(refused.get(0))).isInstanceOf(Unavailable.class);
        assertThat(narrow.queueDepth()).isEqualTo(QUEUE);
        assertThat(narrow.oldestWaiting()).isPositive();
        gate.countDown();
        answer(first);
        others.subList(0, QUEUE).forEach(this::answer);
        assertThat(chain(user)).hasSize(QUEUE);
        assertThat(narrow.queueDepth()).isZero();
    }

    @Test
    void a_load_spec_that_throws_fails_only_its_own_call() {
        CompletionStage<Integer> broken = ports.accounts().change(StoreSamples.user(), new Change<>() {
            @Override
            public LoadSpec needs() {
                throw new IllegalStateException("needs");
            }

            @Override
            public Outcome<Integer> apply(dev.agentpolicy.domain.account.Account account) {
                return Outcome.nothing(1);
            }
        });

        assertThatThrownBy(() -> answer(broken)).hasMessage("needs");
    }

    @Test
    void a_closing_store_records_what_it_took_and_refuses_the_rest() {
        JdbcStore closing = JdbcStore.open(config(url(store)));
        Ports closingPorts = TestStores.ports(closing, signer);
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        List<CompletionStage<Long>> taken = IntStream.range(0, 100)
                .mapToObj(i -> counted(closingPorts, user, key))
                .toList();
        closing.close();
        CompletionStage<Long> late = counted(closingPorts, user, key);

        taken.forEach(it -> assertThat(it.toCompletableFuture()).isCompleted());
        assertThatThrownBy(() -> answer(late)).isInstanceOf(Unavailable.class);
        assertThat(chain(user)).hasSize(100);
    }

    @Test
    void the_lanes_are_started_once() {
        assertThatThrownBy(() -> store.accounts(signer)).isInstanceOf(IllegalStateException.class);
    }
}
