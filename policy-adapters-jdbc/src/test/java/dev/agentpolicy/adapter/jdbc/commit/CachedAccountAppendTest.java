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
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decisions are appended to a cached account without a lock, and never to one that another node has changed. */
class CachedAccountAppendTest extends OnTwoNodes {

    @Test
    void a_node_that_is_alone_with_an_account_appends_without_a_lock() {
        int before = wire.locks();

        for (int i = 0; i < 5; i++) {
            count(one);
        }

        // An idle lane may have locked it for a checkpoint in between.
        assertThat(wire.locks() - before).isLessThan(5);
        assertThat(calls(one)).isEqualTo(7);
    }

    @Test
    void counts_of_another_node_are_continued() {
        count(two);
        count(one);
        count(two);

        assertThat(calls(one)).isEqualTo(5);
        assertThat(calls(two)).isEqualTo(5);
    }

    @Test
    void a_change_of_another_node_without_an_event_is_seen() {
        done(
                two,
                LoadSpec.tally(key.id()),
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusUsd(Usd.of(7)))
                        .answer(receipts -> true));

        Usd seen = decided(
                one,
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .event(StoreSamples.decided(key.id(), true, account.now()))
                        .answer(receipts -> account.tally(key.id()).usd()));

        assertThat(seen).isEqualTo(Usd.of(7));
        assertThat(tally(two).usd()).isEqualTo(Usd.of(7));
    }

    @Test
    void a_change_that_records_nothing_sees_that_another_node_has_revoked_its_key() {
        AgentKey revoked = key.revoked(clock.instant());
        done(two, LoadSpec.NOTHING, account -> new Recording().key(revoked).answer(receipts -> true));

        AgentKey seen =
                decided(one, account -> Outcome.nothing(account.key(key.id()).orElseThrow()));

        assertThat(seen).isEqualTo(revoked);
    }

    @Test
    void a_change_that_records_more_than_the_decision_it_declares_is_done_again_locked() {
        AgentKey revoked = key.revoked(clock.instant());
        int before = wire.locks();

        decided(
                one,
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .event(StoreSamples.decided(key.id(), true, account.now()))
                        .key(revoked)
                        .answer(receipts -> true));

        assertThat(wire.locks()).isGreaterThan(before);
        assertThat(two.accountReader().view(user).keys()).containsEntry(key.id(), revoked);
        assertThat(calls(two)).isEqualTo(3);
    }

    @Test
    void ids_of_requests_grow_with_time() {
        List<Long> ids = Stream.generate(this::drawnId).limit(3).toList();

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(calls(two)).isEqualTo(5);
    }

    private long drawnId() {
        return done(one, LoadSpec.tally(key.id()), account -> {
            long id = account.requestIds().getAsLong();
            Instant now = account.now();
            return new Recording()
                    .request(Pending.of(StoreSamples.proposal(id, user, key.id(), now, now.plus(Duration.ofDays(1)))))
                    .tally(key.id(), account.tally(key.id()).plusCall())
                    .event(StoreSamples.decided(key.id(), true, account.now()))
                    .answer(receipts -> id);
        });
    }

    @Test
    void concurrent_counts_are_exact() {
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
