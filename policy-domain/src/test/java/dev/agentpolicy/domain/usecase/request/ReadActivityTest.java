package dev.agentpolicy.domain.usecase.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.ActivityQuery;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventScan;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityPage;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReadActivityTest {
    private static final int LENGTH = 25_000;

    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final JdkSigner signer = new JdkSigner();
    private final InMemoryStore store = new InMemoryStore(clock, signer);
    private final UserId user = StoreSamples.user();

    /** A chain of keys that were minted, which counts how many of its rows are read. */
    private record LongLog(AtomicInteger read) implements EventLog {

        @Override
        public List<ScannedRow> scan(UserId of, EventScan scan) {
            long end = Math.min(scan.before(), LENGTH + 1L);
            List<ScannedRow> rows = LongStream.range(0, Math.min(scan.limit(), end - scan.from()))
                    .mapToObj(i -> new ScannedRow(
                            end - 1 - i,
                            new UUID(0, end - 1 - i),
                            EventKind.KEY_MINTED,
                            StoreSamples.START,
                            "{\"name\":\"Robot " + (end - 1 - i) + "\"}",
                            "0".repeat(64)))
                    .toList();
            read.addAndGet(rows.size());
            return rows;
        }

        @Override
        public EventPage page(UserId of, EventQuery query) {
            throw new AssertionError("Pages are not read.");
        }

        @Override
        public ChainHead head(UserId of) {
            throw new AssertionError("The head is not read.");
        }

        @Override
        public List<LoggedDecision> decisions(UserId of, AuditQuery query) {
            throw new AssertionError("Decisions are not read.");
        }
    }

    @Test
    void a_page_looks_through_ten_thousand_rows_and_then_goes_on_where_it_stopped() {
        LongLog log = new LongLog(new AtomicInteger());
        ReadActivity activity = new ReadActivity(log, store.requestQueue(), store.accountReader());
        ActivityQuery query = query("robot 15000.");

        ActivityPage first = activity.page(user, query, null, 50);
        assertThat(first.entries()).isEmpty();
        assertThat(first.next()).isEqualTo(15_001);
        assertThat(log.read.get()).isEqualTo(ReadActivity.MAX_SCANNED);

        ActivityPage other = activity.page(user, query, first.next(), 50);
        assertThat(other.entries()).hasSize(1);
        assertThat(other.next()).isEqualTo(5_001);
        assertThat(activity.page(user, query("none"), other.next(), 50).next()).isNull();
    }

    @Test
    void a_page_without_a_filter_reads_no_more_than_it_needs() {
        LongLog log = new LongLog(new AtomicInteger());
        ActivityPage page = new ReadActivity(log, store.requestQueue(), store.accountReader())
                .page(user, ActivityQuery.all(), null, 50);

        assertThat(page.entries()).hasSize(50);
        assertThat(page.next()).isEqualTo(LENGTH - 49);
        assertThat(log.read.get()).isLessThan(300);
    }

    @Test
    void all_of_a_chain_is_handed_over_newest_first() {
        LongLog log = new LongLog(new AtomicInteger());
        List<Long> seqs = new ArrayList<>();
        new ReadActivity(log, store.requestQueue(), store.accountReader())
                .each(
                        user,
                        ActivityQuery.all(),
                        entry -> seqs.add(entry.facts().row().seq()));

        assertThat(seqs)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, LENGTH)
                        .map(i -> LENGTH + 1 - i)
                        .boxed()
                        .toList());
    }

    @Test
    void an_erased_event_is_found_by_its_kind_and_time_alone() {
        AgentKey key = StoreSamples.key(user);
        store.change(
                        user,
                        StoreSamples.change(account -> new Recording()
                                .key(key)
                                .event(StoreSamples.decided(key.id(), false, account.now()))
                                .answer(receipts -> receipts)))
                .toCompletableFuture()
                .join();
        new ErasePayloads(store.eventLog(), store.erasures(), signer, clock).eraseRow(user, 1, "a mistake");
        ReadActivity activity = new ReadActivity(store.eventLog(), store.requestQueue(), store.accountReader());

        assertThat(activity.page(user, ActivityQuery.all(), null, 50).entries())
                .extracting(ReadActivity.ActivityEntry::text)
                .containsExactly("A decision; its content was erased.");
        ActivityQuery all = ActivityQuery.all();
        assertThat(found(activity, with(Set.of(EventKind.GUARDRAIL_DECISION), all)))
                .isEqualTo(1);
        assertThat(found(activity, query("erased"))).isZero();
        assertThat(found(
                        activity,
                        new ActivityQuery(
                                Set.of(),
                                Optional.of(key.id()),
                                all.symbol(),
                                all.rule(),
                                all.allowed(),
                                all.text(),
                                all.from(),
                                all.to())))
                .isZero();
        assertThat(found(
                        activity,
                        new ActivityQuery(
                                Set.of(),
                                all.agentKeyId(),
                                Optional.of(new AssetSymbol("BTC")),
                                all.rule(),
                                all.allowed(),
                                all.text(),
                                all.from(),
                                all.to())))
                .isZero();
    }

    private int found(ReadActivity activity, ActivityQuery query) {
        return activity.page(user, query, null, 50).entries().size();
    }

    private static ActivityQuery query(String text) {
        ActivityQuery all = ActivityQuery.all();
        return new ActivityQuery(
                Set.of(),
                all.agentKeyId(),
                all.symbol(),
                all.rule(),
                all.allowed(),
                Optional.of(text),
                all.from(),
                all.to());
    }

    private static ActivityQuery with(Set<EventKind> kinds, ActivityQuery all) {
        return new ActivityQuery(
                kinds, all.agentKeyId(), all.symbol(), all.rule(), all.allowed(), all.text(), all.from(), all.to());
    }
}
