package dev.agentpolicy.adapter.jdbc.commit;

import static dev.agentpolicy.adapter.jdbc.OnLanes.counted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.agentpolicy.adapter.jdbc.OnLanes;
import dev.agentpolicy.adapter.jdbc.OnTwoNodes;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.StoreSamples;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decisions that one node has appended without their snapshot are seen and continued by the others. */
class JournalTailOnTwoNodesTest extends OnTwoNodes {
    /** Fails as the coordinator of a cluster does, whose own connection goes on. */
    private static final String GOES_AWAY = "CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE EXCEPTION 'the worker is away' USING ERRCODE = 'connection_failure'; END $$;"
            + " CREATE TRIGGER away BEFORE INSERT ON policy_event EXECUTE FUNCTION away()";

    private static final String COMES_BACK = "DROP TRIGGER away ON policy_event";

    private final UserId other = StoreSamples.user();

    @Test
    void decisions_that_are_not_in_the_snapshot_are_counted_by_others() {
        for (int i = 0; i < 20; i++) {
            List<CompletionStage<Long>> counts = Stream.generate(() -> counted(one, user, key.id()))
                    .limit(10)
                    .toList();
            count(two);
            counts.forEach(count -> count.toCompletableFuture().join());
        }

        assertThat(calls(two)).isEqualTo(calls(one)).isEqualTo(222);
        assertThat(two.accountReader().view(user).head().seq()).isEqualTo(222);
    }

    @Test
    void an_attempt_that_holds_the_lock_is_overtaken_once_only() {
        AgentKey minted = StoreSamples.key(user);
        AtomicInteger tries = new AtomicInteger();

        CompletionStage<Boolean> minting = two.accounts().change(user, StoreSamples.change(account -> {
            tries.incrementAndGet();
            overtake();
            return new Recording()
                    .key(minted)
                    .event(StoreSamples.decided(key.id(), true, account.now()))
                    .answer(receipts -> true);
        }));

        assertThat(minting).succeedsWithin(Duration.ofSeconds(10));
        assertThat(tries).hasValue(2);
        assertThat(one.accountReader().view(user).keys()).containsKey(minted.id());
        assertThat(calls(one)).isEqualTo(calls(two));
    }

    /** Has the first node make two decisions from memory at once; does not wait long if it has to wait itself. */
    private void overtake() {
        CompletableFuture<Long> made = new CompletableFuture<>();
        during(other, () -> {
            counted(one, user, key.id());
            counted(one, user, key.id()).thenAccept(made::complete);
        });
        made.completeOnTimeout(0L, 3, TimeUnit.SECONDS).join();
    }

    @Test
    void no_decision_follows_events_that_a_restored_database_lost() {
        requireNextDecisionWithout(this::replaceServer);
    }

    @Test
    void no_decision_follows_events_that_a_worker_lost_while_it_was_away() {
        assumeFalse(TestPostgres.isDistributed(), "Tables of a cluster take no triggers.");
        requireNextDecisionWithout(() -> {
            loseTails();
            TestPostgres.execute(url, GOES_AWAY);
            CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                    .execute(() -> TestPostgres.execute(url, COMES_BACK));
        });
    }

    /** A loss leaves two decisions of the other user, so the next one must be the third. */
    private void requireNextDecisionWithout(Runnable loss) {
        counted(one, other, key.id()).toCompletableFuture().join();
        OnLanes.countedLocked(one, other, key.id()).toCompletableFuture().join();
        CompletableFuture<Long> next = new CompletableFuture<>();
        during(user, () -> {
            for (int i = 0; i < 5; i++) {
                counted(one, user, key.id());
                counted(one, other, key.id());
            }
            during(
                    user,
                    () -> during(user, () -> {
                        loss.run();
                        counted(one, other, key.id()).thenAccept(next::complete);
                    }));
        });

        assertThat(next.join()).isEqualTo(3);
        assertThat(TestStores.number(url, "SELECT count(*) FROM policy_event WHERE user_id = '" + other.value() + "'"))
                .isEqualTo(3);
    }

    /** What a server does that takes the place of one that it lags behind. */
    private void replaceServer() {
        loseTails();
        TestPostgres.execute(
                url,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    private void loseTails() {
        assertThat(TestStores.number(
                        url, "SELECT count(*) FROM policy_event e JOIN account USING (user_id) WHERE seq > chain_seq"))
                .isGreaterThanOrEqualTo(11);
        TestPostgres.execute(
                url, "DELETE FROM policy_event e USING account a WHERE e.user_id = a.user_id AND e.seq > a.chain_seq");
    }

    /** A decision while which is made something else happens, once. */
    private void during(UserId of, Runnable what) {
        Change<Long> counting = OnLanes.counting(key.id());
        AtomicBoolean hasHappened = new AtomicBoolean();
        one.accounts().change(of, OnLanes.deciding(key.id(), account -> {
            if (hasHappened.compareAndSet(false, true)) {
                what.run();
            }
            return counting.apply(account);
        }));
    }
}
