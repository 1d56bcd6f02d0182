package dev.agentpolicy.adapter.jdbc;

import static dev.agentpolicy.adapter.jdbc.OnLanes.counted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Needs;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.Samples;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that is alone with an account need not lock it first, and one that is not never acts on what is old. */
class RememberedTest {
    private final String url = TestPostgres.freshDatabase();
    private final SettableClock clock = new SettableClock(Samples.START);
    private final JdkSigner signer = new JdkSigner();
    private final FaultyWire wire = new FaultyWire();
    private final JdbcStore oneStore =
            JdbcStore.open(TestStores.config(url, clock).withLanes(1, 1000), wire);
    private final JdbcStore twoStore = JdbcStore.open(TestStores.config(url, clock));
    private final Ports one = TestStores.ports(oneStore, signer);
    private final Ports two = TestStores.ports(twoStore, signer);
    private final UserId user = Samples.user();
    private final AgentKey key = Samples.key(user);

    @BeforeEach
    void remember() {
        done(one, Needs.NOTHING, account -> new Recording().key(key).answer(receipts -> true));
        count(one);
        count(one);
    }

    @AfterEach
    void close() {
        oneStore.close();
        twoStore.close();
    }

    @Test
    void a_node_that_is_alone_with_an_account_locks_it_no_more() {
        int before = wire.locks();

        for (int i = 0; i < 5; i++) {
            count(one);
        }

        assertThat(wire.locks()).isEqualTo(before);
        assertThat(calls(one)).isEqualTo(7);
    }

    @Test
    void what_another_node_counted_is_counted_on() {
        count(two);
        count(one);
        count(two);

        assertThat(calls(one)).isEqualTo(5);
        assertThat(calls(two)).isEqualTo(5);
    }

    @Test
    void what_another_node_changed_without_an_event_is_seen() {
        done(
                two,
                Needs.tally(key.id()),
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusUsd(Usd.of(7)))
                        .answer(receipts -> true));

        Usd seen = done(
                one,
                Needs.tally(key.id()),
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .answer(receipts -> account.tally(key.id()).usd()));

        assertThat(seen).isEqualTo(Usd.of(7));
        assertThat(tally(two).usd()).isEqualTo(Usd.of(7));
    }

    @Test
    void a_key_that_another_node_revoked_is_seen_revoked_by_who_records_nothing() {
        AgentKey revoked = key.revoked(clock.instant());
        done(two, Needs.NOTHING, account -> new Recording().key(revoked).answer(receipts -> true));

        AgentKey seen = done(
                one,
                Needs.tally(key.id()),
                account -> Outcome.nothing(account.key(key.id()).orElseThrow()));

        assertThat(seen).isEqualTo(revoked);
    }

    @Test
    void what_changes_more_than_the_end_of_the_chain_is_done_under_the_lock_and_seen_by_others() {
        AgentKey revoked = key.revoked(clock.instant());
        int before = wire.locks();

        done(
                one,
                Needs.tally(key.id()),
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .key(revoked)
                        .answer(receipts -> true));

        assertThat(wire.locks()).isGreaterThan(before);
        assertThat(two.accountReader().standing(user).keys()).containsEntry(key.id(), revoked);
        assertThat(calls(two)).isEqualTo(3);
    }

    @Test
    void ids_of_requests_are_drawn_without_a_lock() {
        int before = wire.locks();

        List<Long> ids = Stream.generate(this::drawnId).limit(3).toList();

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(calls(two)).isEqualTo(5);
        assertThat(wire.locks()).isEqualTo(before);
    }

    private long drawnId() {
        return done(one, Needs.tally(key.id()), account -> {
            long id = account.requestIds().getAsLong();
            return new Recording()
                    .tally(key.id(), account.tally(key.id()).plusCall())
                    .event(Samples.decided(key.id(), true, account.now()))
                    .answer(receipts -> id);
        });
    }

    @Test
    void counts_are_exact_whoever_counts_at_once() {
        List<CompletionStage<Long>> counts = IntStream.range(0, 400)
                .mapToObj(i -> counted(i % 3 == 0 ? two : one, user, key.id()))
                .toList();

        assertThat(counts.stream().map(count -> count.toCompletableFuture().join()))
                .doesNotHaveDuplicates()
                .hasSize(400);
        assertThat(calls(one)).isEqualTo(402);
    }

    @Test
    void a_commit_whose_answer_is_lost_is_found_and_one_that_never_arrived_is_made() {
        wire.loseAnswerOfNextCommit();
        count(one);
        wire.loseNextCommit();
        count(one);

        assertThat(calls(two)).isEqualTo(4);
        assertThat(one.accountReader().standing(user).keys()).containsKey(key.id());
    }

    @Test
    void decisions_without_their_account_row_are_counted_on_by_others() {
        for (int i = 0; i < 20; i++) {
            List<CompletionStage<Long>> counts = Stream.generate(() -> counted(one, user, key.id()))
                    .limit(10)
                    .toList();
            count(two);
            counts.forEach(count -> count.toCompletableFuture().join());
        }

        assertThat(calls(two)).isEqualTo(calls(one)).isEqualTo(222);
        assertThat(two.accountReader().standing(user).head().seq()).isEqualTo(222);
    }

    @Test
    void who_locks_gets_a_turn_beside_who_never_does() {
        ExecutorService callers = Executors.newCachedThreadPool();
        AtomicBoolean isOver = new AtomicBoolean();
        List<CompletableFuture<Void>> busy = Stream.generate(() -> CompletableFuture.runAsync(
                        () -> {
                            while (!isOver.get()) {
                                count(one);
                            }
                        },
                        callers))
                .limit(32)
                .toList();
        try {
            for (int i = 0; i < 5; i++) {
                AgentKey minted = Samples.key(user);
                assertThat(two.accounts()
                                .change(
                                        user,
                                        Samples.change(account -> slowly(new Recording()
                                                .key(minted)
                                                .event(Samples.decided(key.id(), true, account.now()))))))
                        .succeedsWithin(Duration.ofSeconds(5));
                assertThat(one.accountReader().standing(user).keys()).containsKey(minted.id());
            }
        } finally {
            isOver.set(true);
            busy.forEach(CompletableFuture::join);
            callers.shutdown();
        }
        assertThat(calls(two)).isEqualTo(calls(one));
    }

    private static Outcome<Boolean> slowly(Recording recording) {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return recording.answer(receipts -> true);
    }

    @Test
    void nothing_is_built_upon_what_a_database_lost() {
        UserId other = Samples.user();
        counted(one, other, key.id()).toCompletableFuture().join();
        counted(one, other, key.id()).toCompletableFuture().join();
        CompletableFuture<Long> next = new CompletableFuture<>();
        during(() -> {
            for (int i = 0; i < 5; i++) {
                counted(one, user, key.id());
                counted(one, other, key.id());
            }
            during(() -> during(() -> {
                loseTails();
                counted(one, other, key.id()).thenAccept(next::complete);
            }));
        });

        assertThat(next.join()).isEqualTo(3);
        assertThat(TestStores.number(url, "SELECT count(*) FROM policy_event WHERE user_id = '" + other.value() + "'"))
                .isEqualTo(3);
    }

    /** What a server does that takes the place of one that it lags behind. */
    private void loseTails() {
        assertThat(TestStores.number(
                        url, "SELECT count(*) FROM policy_event e JOIN account USING (user_id) WHERE seq > chain_seq"))
                .isEqualTo(11);
        TestPostgres.execute(
                url, "DELETE FROM policy_event e USING account a WHERE e.user_id = a.user_id AND e.seq > a.chain_seq");
        TestPostgres.execute(
                url,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    /** A decision while which is made something else happens, once. */
    private void during(Runnable what) {
        Change<Long> counting = OnLanes.counting(key.id());
        AtomicBoolean hasHappened = new AtomicBoolean();
        one.accounts().change(user, Samples.change(counting.needs(), account -> {
            if (hasHappened.compareAndSet(false, true)) {
                what.run();
            }
            return counting.apply(account);
        }));
    }

    private void count(Ports node) {
        counted(node, user, key.id()).toCompletableFuture().join();
    }

    private long calls(Ports node) {
        return tally(node).calls();
    }

    private Tally tally(Ports node) {
        AgentKeyId id = key.id();
        return done(node, Needs.tally(id), account -> Outcome.nothing(account.tally(id)));
    }

    private <R> R done(Ports node, Needs needs, Function<Account, Outcome<R>> what) {
        return node.accounts()
                .change(user, Samples.change(needs, what))
                .toCompletableFuture()
                .join();
    }
}
