package dev.agentpolicy.adapter.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions are appended without their snapshot, and no reader and no later change can tell. */
abstract class JournalTailTests extends LostConnectionTests {
    private UserId user = StoreSamples.user();
    private AgentKey presented = StoreSamples.key(user);
    private AgentKeyId key = presented.id();
    private AgentKeyId otherKey = new AgentKeyId(UUID.randomUUID());

    /** After it, an account is cached with both of its keys, and its chain and its snapshot have three decisions. */
    @BeforeEach
    void know() {
        user = StoreSamples.user();
        presented = StoreSamples.key(user);
        key = presented.id();
        otherKey = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, otherKey));
        answer(counted(ports, user, key));
        answer(countedLocked(ports, user, key));
    }

    @Test
    void readers_see_decisions_that_are_not_in_the_snapshot_yet() {
        duringBatch(5, () -> {
            assertThat(stored()).isEqualTo(3);
            assertThat(ports.accountReader().view(user).head().seq()).isEqualTo(9);
            assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(8);
            assertThat(answer(ports.accountReader().view(user, presented))
                            .used()
                            .calls())
                    .isEqualTo(8);
            assertThat(ports.accountReader().tally(user, otherKey).calls()).isEqualTo(1);
            assertThat(heads()).extracting(ChainHead::seq).containsExactly(9L);
            assertThat(verify(user).isIntact()).isTrue();
        });
    }

    @Test
    void an_idle_lane_writes_the_snapshot() throws InterruptedException {
        duringBatch(5, () -> assertThat(stored()).isEqualTo(3));

        for (int i = 0; i < 100 && stored() < 9; i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }

        assertThat(stored()).isEqualTo(9);
        assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(8);
        assertThat(answer(counted(ports, user, key))).isEqualTo(10);
    }

    @Test
    void the_snapshot_is_written_before_it_is_too_far_behind() {
        duringBatch(Dialect.MAX_TAIL - 1, () -> assertThat(stored()).isEqualTo(3));
        duringBatch(
                Dialect.MAX_TAIL + 1,
                () -> assertThat(stored())
                        .isEqualTo(ports.accountReader().view(user).head().seq()));

        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void a_decision_that_comes_alone_is_appended_too() {
        duringBatch(1, () -> {
            assertThat(stored()).isEqualTo(3);
            assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(4);
        });
    }

    @Test
    void a_checkpoint_counts_on_from_the_stored_tally() throws InterruptedException {
        duringBatch(1, this::hundredCalls);

        for (int i = 0; i < 100 && stored() < 5; i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }

        assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(102);
        assertThat(answer(countedLocked(ports, user, key))).isEqualTo(6);
        assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(103);
    }

    @Test
    void an_account_that_is_not_as_it_is_cached_is_locked_and_read_before_it_is_written() {
        hundredCalls();
        execute("UPDATE account SET changes = changes + 1 WHERE user_id = '" + user.value() + "'");

        assertThat(answer(counted(ports, user, key))).isEqualTo(4);

        assertThat(stored()).isEqualTo(4);
        assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(101);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void decisions_whose_commit_is_not_answered_are_recorded_once() {
        duringBatch(
                5, wire::loseAnswerOfNextCommit, () -> assertThat(chain(user)).hasSize(9));

        assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(8);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void decisions_whose_commit_never_arrived_are_recorded_again() {
        duringBatch(5, wire::loseNextCommit, () -> assertThat(chain(user)).hasSize(9));

        assertThat(ports.accountReader().tally(user, key).calls()).isEqualTo(8);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void calls_before_midnight_are_not_counted_on_the_day_after() {
        duringBatch(2, () -> clock().advance(Duration.ofDays(1)));

        duringBatch(
                3,
                () -> assertThat(ports.accountReader().tally(user, key))
                        .isEqualTo(new Tally(
                                LocalDate.ofInstant(clock().instant(), ZoneOffset.UTC),
                                4,
                                Usd.ZERO,
                                Usd.ZERO,
                                Usd.ZERO,
                                Usd.ZERO,
                                0)));
    }

    /** Behind the back of the store. */
    private void hundredCalls() {
        execute("UPDATE tally SET calls = 100 WHERE agent_key_id = '" + key.value() + "'");
    }

    private void duringBatch(int count, Runnable look) {
        duringBatch(count, () -> {}, look);
    }

    /**
     * Makes one decision, then some in one batch, and behind them, before the lane has nothing to do, looks at something.
     *
     * @param before done before that batch is committed
     */
    private void duringBatch(int count, Runnable before, Runnable look) {
        CountDownLatch inFirst = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch inLast = new CountDownLatch(1);
        CountDownLatch last = new CountDownLatch(1);
        List<CompletionStage<?>> all = new ArrayList<>();
        all.add(ports.accounts().change(user, gated(inFirst, first)));
        await(inFirst);
        IntStream.range(1, count).forEach(i -> all.add(counted(ports, user, key)));
        all.add(ports.accounts().change(user, gated(inLast, last)));
        first.countDown();
        await(inLast);
        before.run();
        all.add(ports.accounts().change(user, StoreSamples.change(account -> {
            look.run();
            return Outcome.nothing(true);
        })));
        last.countDown();
        all.forEach(this::answer);
    }

    private Change<Long> gated(CountDownLatch entered, CountDownLatch gate) {
        Change<Long> change = counting(key);
        return deciding(key, account -> {
            entered.countDown();
            await(gate);
            return change.apply(account);
        });
    }

    private List<ChainHead> heads() {
        List<ChainHead> heads = new ArrayList<>();
        store.chains().each(heads::add);
        return heads.stream().filter(head -> head.userId().equals(user)).toList();
    }

    /** The last event that the account row tells of. */
    private long stored() {
        return TestStores.number(url(store), "SELECT chain_seq FROM account WHERE user_id = '" + user.value() + "'");
    }
}
