package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Needs;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.Samples;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What group commit promises beyond the contract of its port, on one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LaneTests implements StoreContract {
    static final int QUEUE = 8;
    private final SettableClock clock = new SettableClock(Samples.START);
    private final JdkSigner signer = new JdkSigner();
    private final FaultyWire wire = new FaultyWire();
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private JdbcStore store;
    private JdbcStore narrow;
    private Ports ports;
    private Ports narrowPorts;

    /** A new database. */
    abstract String url();

    @BeforeAll
    void open() {
        JdbcStore.Config config = TestStores.config(url(), clock)
                .observedBy((changes, events, took) -> {
                    commits.incrementAndGet();
                    written.addAndGet(events);
                })
                .withPatience(Duration.ofSeconds(2));
        store = JdbcStore.open(config, wire);
        ports = TestStores.ports(store, signer);
        narrow = JdbcStore.open(config.withLanes(1, QUEUE));
        narrowPorts = TestStores.ports(narrow, signer);
    }

    @AfterAll
    void close() {
        store.close();
        narrow.close();
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public SettableClock clock() {
        return clock;
    }

    @Override
    public SigningKey signingKey() {
        return signer.key();
    }

    JdkSigner signer() {
        return signer;
    }

    JdbcStore.Config config(String url) {
        return TestStores.config(url, clock);
    }

    @Test
    void three_hundred_and_twenty_at_once_make_one_dense_chain() throws InterruptedException {
        UserId user = Samples.user();
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
        List<UserId> users = Stream.generate(Samples::user).limit(40).toList();
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
    void what_finds_the_queue_full_is_refused_at_once_and_not_recorded() throws InterruptedException {
        UserId user = Samples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        CompletionStage<Integer> first = narrowPorts.accounts().change(user, Samples.change(account -> {
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
    void a_commit_whose_answer_is_lost_is_recorded_once_and_answered() {
        UserId user = Samples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        wire.loseAnswerOfNextCommit();
        wire.refuseConnections(0);
        Change<Long> change = counting(key);
        AtomicInteger applied = new AtomicInteger();
        Long count = answer(ports.accounts().change(user, Samples.change(change.needs(), account -> {
            applied.incrementAndGet();
            return change.apply(account);
        })));

        assertThat(count).isEqualTo(2);
        assertThat(applied).hasValue(1);
        assertThat(chain(user)).hasSize(2);
        assertThat(answer(counted(ports, user, key))).isEqualTo(3);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void a_commit_whose_answer_is_lost_is_found_again_once_the_database_is_back() {
        UserId user = Samples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        CompletionStage<Long> second = narrowlyLost(user, key);

        assertThat(answer(second)).isEqualTo(2);
        assertThat(chain(user)).hasSize(2);
    }

    @Test
    void a_commit_that_never_arrived_is_made_again() {
        UserId user = Samples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        wire.loseNextCommit();

        assertThat(answer(counted(ports, user, key))).isEqualTo(2);
        assertThat(chain(user)).hasSize(2);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void while_no_connection_can_be_had_nothing_is_recorded_and_everybody_is_told() {
        UserId user = Samples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        wire.refuseConnections(Integer.MAX_VALUE);
        CompletionStage<Long> during = counted(ports, user, key);

        assertThatThrownBy(() -> answer(during)).isInstanceOf(Unavailable.class).hasMessageContaining("nothing");
        wire.refuseConnections(0);
        assertThat(answer(counted(ports, user, key))).isEqualTo(2);
    }

    @Test
    void a_chain_that_is_ahead_of_its_head_is_never_forked() {
        UserId user = Samples.user();
        UserId other = Samples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        answer(counted(ports, user, key));
        execute("UPDATE account SET chain_seq = 1 WHERE user_id = '" + user + "'");
        CompletionStage<Long> forking = counted(ports, user, key);
        CompletionStage<Long> sound = counted(ports, other, key);

        assertThatThrownBy(() -> answer(forking)).isInstanceOf(Unavailable.class);
        assertThat(answer(sound)).isEqualTo(1);
        assertThat(chain(user)).hasSize(2);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void needs_that_throw_fail_their_own_call() {
        CompletionStage<Integer> broken = ports.accounts().change(Samples.user(), new Change<>() {
            @Override
            public Needs needs() {
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
        UserId user = Samples.user();
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

    /** The URL of the open store again. */
    abstract String url(JdbcStore open);

    abstract void execute(String sql);

    static Change<Long> counting(AgentKeyId key) {
        return Samples.change(Needs.tally(key), account -> {
            Tally tally = account.tally(key).plusCall();
            return new Outcome.Recording()
                    .tally(key, tally)
                    .event(Samples.decided(key, true, account.now()))
                    .answer(receipts -> receipts.get(0).seq());
        });
    }

    static CompletionStage<Long> counted(Ports ports, UserId user, AgentKeyId key) {
        return ports.accounts().change(user, counting(key));
    }

    private CompletionStage<Long> narrowlyLost(UserId user, AgentKeyId key) {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        CompletionStage<Long> second = ports.accounts().change(user, Samples.change(Needs.tally(key), account -> {
            entered.countDown();
            await(gate);
            return counting(key).apply(account);
        }));
        await(entered);
        wire.loseAnswerOfNextCommit();
        wire.refuseConnections(3);
        gate.countDown();
        return second;
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
