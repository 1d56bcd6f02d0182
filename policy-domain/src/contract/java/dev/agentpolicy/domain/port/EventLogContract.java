package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.ChainPage;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.event.page.EventScan;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog.PageWithHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link EventLog}. */
public interface EventLogContract extends StoreContract {

    @Test
    default void an_empty_chain_has_the_genesis_head() {
        UserId user = StoreSamples.user();

        assertThat(ports().eventLog().head(user)).isEqualTo(ChainHead.genesis(user));
        assertThat(ports().eventLog().page(user, EventQuery.all())).isEqualTo(new EventPage(List.of(), null));
        assertThat(ports().eventLog().decisions(user, new AuditQuery(25, null, null, clock().instant())))
                .isEmpty();
    }

    @Test
    default void pages_follow_each_other_without_a_gap_in_both_orders() {
        UserId user = chainOfTen();
        for (Direction order : Direction.values()) {
            List<Long> seqs = new ArrayList<>();
            EventQuery query = new EventQuery(3, order, Optional.empty(), Optional.empty(), OptionalLong.empty());
            EventPage page = ports().eventLog().page(user, query);
            while (page.nextCursor() != null) {
                page.rows().forEach(row -> seqs.add(row.seq()));
                page = ports().eventLog()
                        .page(user, query.after(page.nextCursor()).orElseThrow());
            }
            page.rows().forEach(row -> seqs.add(row.seq()));
            assertThat(seqs)
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 10)
                            .map(i -> order == Direction.ASC ? i : 11 - i)
                            .boxed()
                            .toList());
        }
    }

    @Test
    default void a_scan_finds_rows_newest_first_between_two_places() {
        UserId user = chainOfTen();

        assertThat(scanned(user, EventScan.all(4))).containsExactly(10L, 9L, 8L, 7L);
        assertThat(scanned(user, EventScan.all(4).continued(7, 3))).containsExactly(6L, 5L, 4L);
        assertThat(scanned(user, new EventScan(4, 7, 10, true, true, null, null)))
                .containsExactly(6L, 5L, 4L);
        assertThat(scanned(user, new EventScan(1, 1, 10, true, true, null, null)))
                .isEmpty();
        assertThat(scanned(StoreSamples.user(), EventScan.all(10))).isEmpty();
        PolicyEvent last = chain(user).get(9);
        assertThat(ports().eventLog().scan(user, EventScan.all(1))).containsExactly(ScannedRow.of(last));
    }

    @Test
    default void a_scan_leaves_out_decisions_or_everything_else() {
        UserId user = chainOfTen();

        assertThat(scanned(user, new EventScan(1, Long.MAX_VALUE, 10, false, true, null, null)))
                .containsExactly(10L, 5L);
        assertThat(scanned(user, new EventScan(1, Long.MAX_VALUE, 3, true, false, null, null)))
                .containsExactly(9L, 8L, 7L);
        assertThat(scanned(user, new EventScan(1, Long.MAX_VALUE, 3, false, false, null, null)))
                .isEmpty();
    }

    @Test
    default void decisions_are_found_oldest_first_between_two_places() {
        UserId user = chainOfTen();
        EventLog log = ports().eventLog();

        assertThat(log.decisions(user, 3, 7)).extracting(ScannedRow::seq).containsExactly(3L, 4L, 6L);
        assertThat(log.decisions(user, 5, 8)).extracting(ScannedRow::seq).containsExactly(6L, 7L);
        assertThat(log.decisions(user, 10, 500)).isEmpty();
        assertThat(log.decisions(user, 9, 10))
                .containsExactly(ScannedRow.of(chain(user).get(8)));
    }

    @Test
    default void the_decision_before_some_newer_ones_is_found() {
        UserId user = chainOfTen();
        EventLog log = ports().eventLog();

        assertThat(log.decisionBefore(user, 1, 1)).hasValue(8);
        assertThat(log.decisionBefore(user, 1, 4)).hasValue(4);
        assertThat(log.decisionBefore(user, 4, 4)).hasValue(4);
        assertThat(log.decisionBefore(user, 5, 4)).isEmpty();
        assertThat(log.decisionBefore(user, 1, 20_000)).isEmpty();
    }

    @Test
    default void a_scan_by_key_and_verdict_concerns_decisions_only() {
        UserId user = StoreSamples.user();
        AgentKey one = mint(user);
        AgentKey other = mint(user);
        decide(user, one.id(), true);
        decide(user, other.id(), true);
        decide(user, one.id(), false);
        record(user, account -> new Recording().event(EventPayloads.key(EventKind.KEY_REVOKED, other)));
        decide(user, other.id(), false);
        long end = Long.MAX_VALUE;

        assertThat(scanned(user, new EventScan(1, end, 10, true, true, one.id(), null)))
                .containsExactly(4L, 3L, 1L);
        assertThat(scanned(user, new EventScan(1, end, 10, true, false, one.id(), null)))
                .containsExactly(3L, 1L);
        assertThat(scanned(user, new EventScan(1, end, 10, true, false, null, false)))
                .containsExactly(5L, 3L);
        assertThat(scanned(user, new EventScan(1, end, 1, true, false, null, false)))
                .containsExactly(5L);
        assertThat(scanned(user, new EventScan(1, 5, 2, true, true, other.id(), true)))
                .containsExactly(4L, 2L);
        assertThat(scanned(user, new EventScan(1, end, 10, false, true, one.id(), true)))
                .containsExactly(4L);
    }

    @Test
    default void the_first_row_since_a_time_is_found() {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        Instant start = clock().instant();
        decide(user, key.id(), true);
        clock().advance(Duration.ofSeconds(2));
        decide(user, key.id(), true);
        decide(user, key.id(), true);

        EventLog log = ports().eventLog();
        assertThat(log.firstSince(user, start)).isEqualTo(1);
        assertThat(log.firstSince(user, start.plusSeconds(1))).isEqualTo(2);
        assertThat(log.firstSince(user, start.plusSeconds(2))).isEqualTo(2);
        assertThat(log.firstSince(user, start.plusSeconds(3))).isEqualTo(4);
        assertThat(log.firstSince(StoreSamples.user(), start)).isEqualTo(1);
    }

    private List<Long> scanned(UserId user, EventScan scan) {
        return ports().eventLog().scan(user, scan).stream().map(ScannedRow::seq).toList();
    }

    @Test
    default void headers_are_the_rows_between_two_places_without_their_payloads() {
        UserId user = chainOfTen();
        List<PolicyEvent> rows =
                chain(user).stream().map(PolicyEvent::withoutPayload).toList();
        EventLog log = ports().eventLog();

        assertThat(log.headers(user, 1, 10)).isEqualTo(rows);
        assertThat(log.headers(user, 3, 7)).isEqualTo(rows.subList(2, 7));
        assertThat(log.headers(user, 9, 12)).isEqualTo(rows.subList(8, 10));
        assertThat(log.headers(user, 11, 12)).isEmpty();
        assertThat(log.headers(StoreSamples.user(), 1, 10)).isEmpty();
    }

    @Test
    default void rows_can_be_filtered_by_kind() {
        UserId user = chainOfTen();

        assertThat(seqs(user, Direction.ASC, EventKind.KEY_REVOKED, null)).containsExactly(5L, 10L);
        assertThat(seqs(user, Direction.DESC, EventKind.KEY_REVOKED, null)).containsExactly(10L, 5L);
        assertThat(seqs(user, Direction.DESC, EventKind.KEY_MINTED, null)).isEmpty();
        assertThat(seqs(user, Direction.ASC, EventKind.GUARDRAIL_DECISION, null))
                .containsExactly(1L, 2L, 3L, 4L, 6L, 7L, 8L, 9L);
    }

    @Test
    default void pages_continue_within_one_kind() {
        UserId user = chainOfTen();
        EventQuery query = new EventQuery(
                1, Direction.ASC, Optional.of(EventKind.KEY_REVOKED), Optional.empty(), OptionalLong.empty());
        EventPage first = ports().eventLog().page(user, query);
        EventPage second =
                ports().eventLog().page(user, query.after(first.nextCursor()).orElseThrow());

        assertThat(first.rows()).extracting(PolicyEvent::seq).containsExactly(5L);
        assertThat(second.rows()).extracting(PolicyEvent::seq).containsExactly(10L);
        assertThat(second.nextCursor()).isNull();
    }

    @Test
    default void a_page_comes_with_the_head_of_its_chain() {
        UserId user = chainOfTen();
        ChainHead head = ports().eventLog().head(user);
        for (EventQuery query : List.of(
                EventQuery.all(),
                EventQuery.all().after(7),
                EventQuery.all().after(10),
                EventQuery.all().after(Long.MAX_VALUE),
                new EventQuery(1, Direction.DESC, Optional.empty(), Optional.empty(), OptionalLong.of(1)),
                new EventQuery(
                        1,
                        Direction.DESC,
                        Optional.of(EventKind.KEY_REVOKED),
                        Optional.empty(),
                        OptionalLong.empty()))) {
            EventLog.PageWithHead found = ports().eventLog().headedPage(user, query);

            EventPage page = ports().eventLog().page(user, query);
            assertThat(text(found.page())).isEqualTo(text(SignedPage.of(page)));
            assertThat(found.page().nextCursor()).isEqualTo(page.nextCursor());
            assertThat(found.head()).isEqualTo(head);
        }
        assertThat(ports().eventLog().page(user, EventQuery.all().after(7)).rows())
                .extracting(PolicyEvent::seq)
                .containsExactly(8L, 9L, 10L);
    }

    @Test
    default void the_head_of_a_page_that_reached_the_end_names_its_last_row_while_others_write() throws Exception {
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        EventQuery descending =
                new EventQuery(5, Direction.DESC, Optional.empty(), Optional.empty(), OptionalLong.empty());
        EventLog log = ports().eventLog();
        assertEnd(log.headedPage(user, EventQuery.all()), ChainHead.genesis(user));
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService writers = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> writing = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                writing.add(writers.submit(() -> {
                    while (!isOver.get()) {
                        decide(user, key, true);
                    }
                }));
            }
            ChainHead end = ChainHead.genesis(user);
            while (end.seq() < 100) {
                PageWithHead found = log.headedPage(user, EventQuery.all().after(end.seq()));
                if (found.page().nextCursor() == null) {
                    assertEnd(found, end);
                }
                end = last(found, end);
                assertThat(found.head().seq()).isGreaterThanOrEqualTo(end.seq());
                PageWithHead newest = log.headedPage(user, descending);
                assertThat(first(newest)).isEqualTo(newest.head().seq());
            }
            isOver.set(true);
            for (Future<?> each : writing) {
                each.get(20, TimeUnit.SECONDS);
            }
        } finally {
            isOver.set(true);
            writers.shutdown();
        }
    }

    private static void assertEnd(PageWithHead found, ChainHead before) {
        ChainHead last = last(found, before);
        assertThat(found.head().seq()).isEqualTo(last.seq());
        assertThat(found.head().hash()).isEqualTo(last.hash());
    }

    /** The last row of an ascending page, or the row before it. */
    private static ChainHead last(PageWithHead found, ChainHead before) {
        List<PolicyEvent> rows = rows(found);
        return rows.isEmpty() ? before : ChainHead.after(rows.get(rows.size() - 1));
    }

    private static long first(PageWithHead found) {
        return rows(found).stream().findFirst().map(PolicyEvent::seq).orElse(0L);
    }

    private static List<PolicyEvent> rows(PageWithHead found) {
        return ChainPage.parse("{\"events\":[" + text(found.page()) + "]}")
                .orElseThrow()
                .rows();
    }

    private static String text(SignedPage page) {
        return new String(page.rows(), StandardCharsets.UTF_8);
    }

    @Test
    default void since_includes_its_own_time() {
        UserId user = chainOfTen();
        Instant third = chain(user).get(2).createdAt();

        assertThat(seqs(user, Direction.ASC, null, third)).first().isEqualTo(3L);
        assertThat(seqs(user, Direction.ASC, null, third.plusNanos(1))).first().isEqualTo(4L);
        assertThat(seqs(user, Direction.DESC, null, third)).last().isEqualTo(3L);
        assertThat(seqs(user, Direction.ASC, EventKind.KEY_REVOKED, third.plus(Duration.ofSeconds(3))))
                .containsExactly(10L);
        assertThat(seqs(user, Direction.ASC, null, Instant.EPOCH)).hasSize(10);
        assertThat(seqs(user, Direction.ASC, null, third.plus(Duration.ofDays(1))))
                .isEmpty();
    }

    @Test
    default void decisions_can_be_filtered_by_key_verdict_and_time_newest_first() {
        UserId user = StoreSamples.user();
        AgentKeyId one = mint(user).id();
        AgentKeyId two = mint(user).id();
        boolean[] verdicts = {true, false, true, true, false};
        for (int i = 0; i < 10; i++) {
            clock().advance(Duration.ofSeconds(1));
            decide(user, i < 5 ? one : two, verdicts[i % 5]);
        }
        Instant fourth = chain(user).get(3).createdAt();

        assertThat(decisions(user, 100, null, null, null)).containsExactly(10L, 9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L);
        assertThat(decisions(user, 2, null, null, null)).containsExactly(10L, 9L);
        assertThat(decisions(user, 100, one, null, null)).containsExactly(5L, 4L, 3L, 2L, 1L);
        assertThat(decisions(user, 2, one, null, null)).containsExactly(5L, 4L);
        assertThat(decisions(user, 100, null, false, null)).containsExactly(10L, 7L, 5L, 2L);
        assertThat(decisions(user, 3, null, false, null)).containsExactly(10L, 7L, 5L);
        assertThat(decisions(user, 100, two, true, null)).containsExactly(9L, 8L, 6L);
        assertThat(decisions(user, 100, null, null, fourth)).containsExactly(10L, 9L, 8L, 7L, 6L, 5L);
        assertThat(decisions(user, 100, one, null, fourth)).containsExactly(5L);
        assertThat(decisions(user, 100, null, true, fourth.minusNanos(1))).containsExactly(9L, 8L, 6L, 4L);
        assertThat(decisions(user, 100, new AgentKeyId(user.value()), null, null))
                .isEmpty();
    }

    @Test
    default void the_audit_feed_has_only_decisions() {
        UserId user = chainOfTen();

        assertThat(decisions(user, 100, null, null, null)).containsExactly(9L, 8L, 7L, 6L, 4L, 3L, 2L, 1L);
        assertThat(decisions(user, 5, null, null, null)).containsExactly(9L, 8L, 7L, 6L, 4L);
    }

    @Test
    default void the_audit_feed_is_read_backwards_from_a_row() {
        UserId user = chainOfTen();
        AgentKeyId key = ports().eventLog()
                .decisions(user, AuditQuery.latest(1))
                .get(0)
                .decision()
                .agentKeyId();
        Instant fourth =
                ports().eventLog().page(user, EventQuery.all()).rows().get(3).createdAt();

        assertThat(before(user, AuditQuery.latest(3), 11)).containsExactly(9L, 8L, 7L);
        assertThat(before(user, AuditQuery.latest(3), 7)).containsExactly(6L, 4L, 3L);
        assertThat(before(user, AuditQuery.latest(3), 3)).containsExactly(2L, 1L);
        assertThat(before(user, AuditQuery.latest(3), 1)).isEmpty();
        assertThat(before(user, AuditQuery.latest(100), Long.MAX_VALUE)).hasSize(8);
        assertThat(before(user, new AuditQuery(2, key, true, null), 5)).containsExactly(4L, 3L);
        assertThat(before(user, new AuditQuery(2, key, false, null), 5)).isEmpty();
        assertThat(before(user, new AuditQuery(9, null, true, fourth), 8)).containsExactly(7L, 6L);
        assertThat(before(user, new AuditQuery(9, null, null, fourth), 8)).containsExactly(7L, 6L);
    }

    private List<Long> before(UserId user, AuditQuery query, long seq) {
        return seqs(ports().eventLog().decisions(user, query.before(seq)));
    }

    @Test
    default void chains_that_are_read_at_once_are_not_mixed_up() {
        List<UserId> users = List.of(chainOfTen(), StoreSamples.user(), chainOf(3), chainOf(7));
        EventLog log = ports().eventLog();
        List<CompletionStage<List<LoggedDecision>>> told = IntStream.range(0, 48)
                .mapToObj(i -> log.latest(users.get(i % 4), 1 + i / 4))
                .toList();

        for (int i = 0; i < told.size(); i++) {
            assertThat(told.get(i).thenApply(EventLogContract::seqs))
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isEqualTo(decisions(users.get(i % 4), 1 + i / 4, null, null, null));
        }
    }

    @Test
    default void a_user_reads_only_the_own_chain() {
        UserId user = chainOfTen();
        UserId other = StoreSamples.user();

        assertThat(ports().eventLog().page(other, EventQuery.all().after(3)).rows())
                .isEmpty();
        assertThat(ports().eventLog().head(user).seq()).isEqualTo(10);
    }

    private UserId chainOfTen() {
        return chainOf(10);
    }

    /** Decisions a second apart; every fifth row revokes a key. */
    private UserId chainOf(int rows) {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        for (int i = 1; i <= rows; i++) {
            clock().advance(Duration.ofSeconds(1));
            if (i % 5 == 0) {
                record(user, account -> new Recording().event(EventPayloads.key(EventKind.KEY_REVOKED, key)));
            } else {
                decide(user, key.id(), true);
            }
        }
        return user;
    }

    private List<Long> seqs(UserId user, Direction order, @Nullable EventKind kind, @Nullable Instant since) {
        EventQuery query =
                new EventQuery(100, order, Optional.ofNullable(kind), Optional.ofNullable(since), OptionalLong.empty());
        return ports().eventLog().page(user, query).rows().stream()
                .map(PolicyEvent::seq)
                .toList();
    }

    private List<Long> decisions(
            UserId user, int limit, @Nullable AgentKeyId key, @Nullable Boolean allowed, @Nullable Instant since) {
        return seqs(ports().eventLog().decisions(user, new AuditQuery(limit, key, allowed, since)));
    }

    private static List<Long> seqs(List<LoggedDecision> decisions) {
        return decisions.stream().map(logged -> logged.event().seq()).toList();
    }
}
