package dev.agentpolicy.adapter.jdbc.commit;

import static dev.agentpolicy.adapter.jdbc.OnLanes.counted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.OnTwoNodes;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.quantity.Usd;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node that is alone with an account need not lock it first, and one that is not never acts on what is old. */
class RememberedTest extends OnTwoNodes {

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
                LoadSpec.tally(key.id()),
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusUsd(Usd.of(7)))
                        .answer(receipts -> true));

        Usd seen = done(
                one,
                LoadSpec.tally(key.id()),
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .answer(receipts -> account.tally(key.id()).usd()));

        assertThat(seen).isEqualTo(Usd.of(7));
        assertThat(tally(two).usd()).isEqualTo(Usd.of(7));
    }

    @Test
    void a_key_that_another_node_revoked_is_seen_revoked_by_who_records_nothing() {
        AgentKey revoked = key.revoked(clock.instant());
        done(two, LoadSpec.NOTHING, account -> new Recording().key(revoked).answer(receipts -> true));

        AgentKey seen = done(
                one,
                LoadSpec.tally(key.id()),
                account -> Outcome.nothing(account.key(key.id()).orElseThrow()));

        assertThat(seen).isEqualTo(revoked);
    }

    @Test
    void what_changes_more_than_the_end_of_the_chain_is_done_under_the_lock_and_seen_by_others() {
        AgentKey revoked = key.revoked(clock.instant());
        int before = wire.locks();

        done(
                one,
                LoadSpec.tally(key.id()),
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .key(revoked)
                        .answer(receipts -> true));

        assertThat(wire.locks()).isGreaterThan(before);
        assertThat(two.accountReader().view(user).keys()).containsEntry(key.id(), revoked);
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
        return done(one, LoadSpec.tally(key.id()), account -> {
            long id = account.requestIds().getAsLong();
            return new Recording()
                    .tally(key.id(), account.tally(key.id()).plusCall())
                    .event(StoreSamples.decided(key.id(), true, account.now()))
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
        assertThat(one.accountReader().view(user).keys()).containsKey(key.id());
    }
}
