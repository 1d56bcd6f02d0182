package dev.agentpolicy.adapter.jdbc.log;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.agentpolicy.adapter.jdbc.async.BatchingReader;
import dev.agentpolicy.adapter.jdbc.log.ChainRange.Span;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Order;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog.PageWithHead;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Pages of events that were read not long ago. Nothing of a row ever changes but its payload, which may be erased; so the
 * database is asked whether the page still ends with the same row, whose hash tells of all before it, and whether payloads
 * were erased. It is forgotten soon all the same, since by its pages a reader finds out whether anybody touched a row.
 */
final class PageCache {
    private static final int MAX_BYTES = 8 * 1024 * 1024;
    private static final int BYTES_BESIDE_ROWS = 1_000;
    private static final int BYTES_OF_AN_ERASED_PLACE = 80;
    static final Duration LONGEST = Duration.ofSeconds(10);

    private final Cache<Key, Known> pages;
    private final BatchingReader<Span, ChainRange> stretches;

    PageCache(BatchingReader<Span, ChainRange> stretches, Ticker ticker) {
        this.stretches = stretches;
        pages = Caffeine.newBuilder()
                .maximumWeight(MAX_BYTES)
                .weigher((Key key, Known known) -> known.bytes())
                .expireAfterWrite(LONGEST)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    void forget() {
        pages.invalidateAll();
    }

    /** The page if it is known and would be the same; empty when it has to be read. */
    CompletionStage<Optional<PageWithHead>> find(UserId user, EventQuery query) {
        Known known = pages.getIfPresent(new Key(user, query));
        return known == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : stretches
                        .ask(Span.of(user, query))
                        .thenApply(now -> now.filter(known::isStill)
                                .map(stretch -> new PageWithHead(known.page, stretch.head())));
    }

    /** Takes note of a page that was read, unless its rows were chosen by more than their places. */
    void keep(UserId user, EventQuery query, EventPage page, SignedPage written) {
        if (!page.rows().isEmpty() && query.kind().isEmpty() && query.since().isEmpty()) {
            pages.put(new Key(user, query), Known.of(query, page, written));
        }
    }

    /** Which page of which chain. */
    private record Key(UserId user, EventQuery query) {}

    /**
     * A page.
     *
     * @param lastHash of the last of its rows in the chain
     * @param isAtEnd whether the next row of the chain would change it
     * @param erased places without a payload
     */
    private record Known(SignedPage page, String lastHash, boolean isAtEnd, Set<Long> erased) {

        static Known of(EventQuery query, EventPage page, SignedPage written) {
            List<PolicyEvent> rows = page.rows();
            PolicyEvent last = rows.stream()
                    .max(Comparator.comparingLong(PolicyEvent::seq))
                    .orElseThrow();
            return new Known(
                    written,
                    last.hash(),
                    query.order() == Order.ASC && page.nextCursor() == null,
                    rows.stream()
                            .filter(row -> row.payload() == null)
                            .map(PolicyEvent::seq)
                            .collect(Collectors.toSet()));
        }

        int bytes() {
            return page.rows().length
                    + 2 * page.erasures().length()
                    + BYTES_BESIDE_ROWS
                    + BYTES_OF_AN_ERASED_PLACE * erased.size();
        }

        boolean isStill(ChainRange now) {
            return lastHash.equals(now.lastHash())
                    && erased.equals(now.erased())
                    && (!isAtEnd || lastHash.equals(now.head().hash()));
        }
    }
}
