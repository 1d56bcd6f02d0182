package dev.agentpolicy.adapter.jdbc.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.async.BatchingReader;
import dev.agentpolicy.adapter.jdbc.async.CallbackExecutor;
import dev.agentpolicy.adapter.jdbc.log.ChainRange.Span;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.StoreSamples;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** By a page a reader finds out whether anybody touched a row, so none is remembered for long. */
class PageCacheTest {
    private static final String HASH = "a".repeat(64);

    private final UserId user = StoreSamples.user();
    private final PolicyEvent row = new PolicyEvent(
            user,
            1,
            new UUID(1, 2),
            EventKind.KEY_MINTED,
            StoreSamples.START,
            "{}",
            HASH,
            HASH,
            "key",
            HASH,
            "signature");
    private final EventPage page = new EventPage(List.of(row), null);
    private final AtomicLong nanos = new AtomicLong();
    private final CallbackExecutor answers = new CallbackExecutor();
    private final PageCache pages = new PageCache(
            new BatchingReader<>(asked -> Map.of(span(), unchanged()), Runnable::run, answers), nanos::get);

    @AfterEach
    void close() {
        answers.close();
    }

    @Test
    void a_page_is_forgotten_after_ten_seconds_however_often_it_is_asked_for() {
        pages.keep(user, EventQuery.all(), page, SignedPage.of(page));
        long longest = PageCache.LONGEST.toNanos();
        assertThat(PageCache.LONGEST).hasSeconds(10);

        nanos.addAndGet(longest / 2);
        assertThat(isKnown()).isTrue();
        nanos.addAndGet(longest / 2 - 1);
        assertThat(isKnown()).isTrue();
        nanos.addAndGet(1);
        assertThat(isKnown()).isFalse();
    }

    @Test
    void a_page_without_rows_is_not_remembered() {
        EventPage none = new EventPage(List.of(), null);
        pages.keep(user, EventQuery.all(), none, SignedPage.of(none));

        assertThat(isKnown()).isFalse();
    }

    private boolean isKnown() {
        return pages.find(user, EventQuery.all()).toCompletableFuture().join().isPresent();
    }

    private Span span() {
        return Span.of(user, EventQuery.all());
    }

    private ChainRange unchanged() {
        return new ChainRange(span(), ChainHead.after(row), HASH, Set.of());
    }
}
