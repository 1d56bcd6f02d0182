package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.port.RequestQueue.RequestRef;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link RequestQueue}. */
public interface RequestQueueContract extends StoreContract {
    int PLENTY = 10_000;

    @Test
    default void requests_are_read_newest_first_by_status_and_page() {
        UserId user = StoreSamples.user();
        Pending first = propose(user, Duration.ofDays(7));
        Pending second = propose(user, Duration.ofDays(7));
        Pending third = propose(user, Duration.ofDays(7));
        ServiceRequest rejected = second.rejected("Not now", StoreSamples.START);
        ServiceRequest completed = StoreSamples.completed(third);
        move(rejected);
        move(completed);

        RequestQueue queue = ports().requestQueue();
        assertThat(queue.page(user, null, null, 10)).containsExactly(completed, rejected, first);
        assertThat(queue.page(user, null, null, 2)).containsExactly(completed, rejected);
        assertThat(queue.page(user, null, rejected.id(), 10)).containsExactly(first);
        assertThat(queue.page(user, RequestStatus.PENDING, null, 10)).containsExactly(first);
        assertThat(queue.page(user, RequestStatus.COMPLETED, null, 10)).containsExactly(completed);
        assertThat(queue.page(user, RequestStatus.REJECTED, rejected.id(), 10)).isEmpty();
    }

    @Test
    default void requests_that_wait_for_the_user_are_counted_up_to_a_limit() {
        UserId user = StoreSamples.user();
        assertThat(ports().requestQueue().countWaiting(user, 10)).isZero();
        propose(user, Duration.ofDays(7));
        Pending second = propose(user, Duration.ofDays(7));
        Pending third = propose(user, Duration.ofDays(7));
        propose(user, Duration.ofDays(7));
        move(second.rejected("Not now", StoreSamples.START));
        move(third.accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), StoreSamples.START));

        assertThat(ports().requestQueue().countWaiting(user, 10)).isEqualTo(2);
        assertThat(ports().requestQueue().countWaiting(user, 1)).isEqualTo(1);
    }

    @Test
    default void requests_that_wait_for_the_user_are_read_newest_first_however_many_orders_are_under_way() {
        UserId user = StoreSamples.user();
        Pending first = propose(user, Duration.ofDays(7));
        Pending second = propose(user, Duration.ofDays(7));
        for (int order = 0; order < 3; order++) {
            move(propose(user, Duration.ofDays(7))
                    .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), StoreSamples.START));
        }
        Pending failed = propose(user, Duration.ofDays(7))
                .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), StoreSamples.START)
                .notExecuted("No cash.");
        move(failed);
        move(propose(user, Duration.ofDays(7)).rejected("No", StoreSamples.START));

        assertThat(waitingIds(user, null, 10)).containsExactly(failed.id(), second.id(), first.id());
        assertThat(waitingIds(user, null, 1)).containsExactly(failed.id());
        assertThat(waitingIds(user, failed.id(), 1)).containsExactly(second.id());
        assertThat(waitingIds(user, first.id(), 10)).isEmpty();
    }

    private List<Long> waitingIds(UserId user, @Nullable Long before, int limit) {
        return ports().requestQueue().waiting(user, before, limit).stream()
                .map(Pending::id)
                .toList();
    }

    @Test
    default void a_request_with_an_idempotency_key_keeps_the_receipt_of_its_decision() {
        UserId user = StoreSamples.user();
        IdempotencyKey once = new IdempotencyKey(new AgentKeyId(UUID.randomUUID()), "once");
        record(user, account -> new Recording().event(StoreSamples.decided(once.agentKeyId(), false, account.now())));
        Receipt receipt = answer(ports().accounts().change(user, StoreSamples.change(account -> {
            Instant now = account.now();
            long id = account.requestIds().getAsLong();
            return new Recording()
                    .request(Pending.of(StoreSamples.proposal(id, user, once.agentKeyId(), now, now.plusSeconds(1))))
                    .replay(new Replay(once, id, StoreSamples.hash(), now))
                    .event(StoreSamples.decided(once.agentKeyId(), true, now))
                    .answer(receipts -> receipts.get(0));
        })));

        ServiceRequest stored = ports().requestQueue().page(user, null, null, 1).get(0);
        move(stored.<ServiceRequest>fold(
                pending -> pending.rejected(null, StoreSamples.START), done -> done, no -> no));

        assertThat(receipt.seq()).isEqualTo(2);
        assertThat(stored.proposal().receipt()).isEqualTo(receipt);
        assertThat(ports().requestQueue().find(user, stored.id()).orElseThrow())
                .satisfies(moved -> assertThat(moved.status()).isEqualTo(RequestStatus.REJECTED))
                .satisfies(moved -> assertThat(moved.proposal().receipt()).isEqualTo(receipt));
    }

    @Test
    default void a_user_does_not_find_the_requests_of_others() {
        Pending mine = propose(StoreSamples.user(), Duration.ofDays(7));
        Pending theirs = propose(StoreSamples.user(), Duration.ofDays(7));
        UserId user = mine.proposal().userId();

        RequestQueue queue = ports().requestQueue();
        assertThat(queue.find(user, mine.id())).contains(mine);
        assertThat(queue.find(user, theirs.id())).isEmpty();
        assertThat(queue.findAll(user, List.of(mine.id(), theirs.id(), -1L))).isEqualTo(Map.of(mine.id(), mine));
        assertThat(queue.findAll(user, List.of())).isEmpty();
    }

    @Test
    default void expired_requests_are_found_oldest_first() {
        Pending later = propose(StoreSamples.user(), Duration.ofHours(2));
        Pending sooner = propose(StoreSamples.user(), Duration.ofHours(1));
        Pending accepted = propose(StoreSamples.user(), Duration.ofHours(1));
        Pending rejected = propose(StoreSamples.user(), Duration.ofHours(1));
        move(accepted.accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), StoreSamples.START));
        move(rejected.rejected(null, StoreSamples.START));
        Instant end = later.proposal().expiresAt();

        assertThat(expired(end.minusNanos(1_000))).contains(waiting(sooner)).doesNotContain(waiting(later));
        assertThat(expired(end))
                .containsSubsequence(waiting(sooner), waiting(later))
                .doesNotContain(waiting(accepted), waiting(rejected));
        assertThat(ports().requestQueue().expired(end, 1)).hasSize(1);
    }

    @Test
    default void requests_whose_orders_are_not_confirmed_are_found_oldest_first() {
        Instant monday = Instant.parse("2026-11-16T08:00:00Z");
        Pending later = propose(StoreSamples.user(), Duration.ofDays(7))
                .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), monday.plusSeconds(1));
        Pending sooner = propose(StoreSamples.user(), Duration.ofDays(7))
                .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), monday);
        Pending failed = propose(StoreSamples.user(), Duration.ofDays(7))
                .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), monday);
        List.of(later, sooner, failed).forEach(this::move);
        move(failed.notExecuted("No cash."));
        Pending confirmed = propose(StoreSamples.user(), Duration.ofDays(7))
                .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), monday);
        OrderAttempt order = Objects.requireNonNull(confirmed.order());
        OrderReport open = new OrderReport(order.clientOrderId(), "broker-1", new OrderState.Open(), BigDecimal.ZERO);
        move(confirmed.with(order.reported(open), monday));

        assertThat(unconfirmed(monday)).doesNotContain(waiting(sooner));
        assertThat(unconfirmed(monday.plusSeconds(2)))
                .containsSubsequence(waiting(sooner), waiting(later))
                .doesNotContain(waiting(failed), waiting(confirmed));
        assertThat(ports().requestQueue().unconfirmed(monday.plusSeconds(2), 1)).hasSize(1);
    }

    @Test
    default void requests_that_were_accepted_at_least_once_are_read_newest_first() {
        UserId user = StoreSamples.user();
        Pending waiting = propose(user, Duration.ofDays(7));
        Pending underWay = propose(user, Duration.ofDays(7))
                .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), StoreSamples.START);
        Pending failed = propose(user, Duration.ofDays(7))
                .accepted("a", CustodianKind.PAPER, Fraction.of("0.01"), StoreSamples.START)
                .notExecuted("No cash.");
        ServiceRequest completed = StoreSamples.completed(propose(user, Duration.ofDays(7)));
        ServiceRequest turnedDown = propose(user, Duration.ofDays(7)).rejected("No", StoreSamples.START);
        List.of(underWay, failed, completed, turnedDown).forEach(this::move);

        RequestQueue queue = ports().requestQueue();
        assertThat(queue.attested(user, null, 10)).containsExactly(completed, failed, underWay);
        assertThat(queue.attested(user, completed.id(), 1)).containsExactly(failed);
        assertThat(queue.attested(user, underWay.id(), 10)).isEmpty();
        assertThat(queue.attested(StoreSamples.user(), null, 10)).isEmpty();
        assertThat(queue.find(user, waiting.id())).contains(waiting);
    }

    private List<RequestRef> expired(Instant now) {
        return ports().requestQueue().expired(now, PLENTY);
    }

    private List<RequestRef> unconfirmed(Instant before) {
        return ports().requestQueue().unconfirmed(before, PLENTY);
    }

    private Pending propose(UserId user, Duration window) {
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        return answer(ports().accounts().change(user, StoreSamples.change(account -> {
            Pending pending = Pending.of(StoreSamples.proposal(
                    account.requestIds().getAsLong(),
                    user,
                    key,
                    account.now(),
                    account.now().plus(window)));
            return new Recording().request(pending).answer(receipts -> pending);
        })));
    }

    private void move(ServiceRequest request) {
        record(request.proposal().userId(), account -> new Recording().request(request));
    }

    private static RequestRef waiting(Pending request) {
        return new RequestRef(request.proposal().userId(), request.id());
    }
}
