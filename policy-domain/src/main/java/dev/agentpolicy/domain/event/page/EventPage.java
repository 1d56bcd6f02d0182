package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.Erasure.Extent;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One page of a chain.
 *
 * @param rows in the order asked for
 * @param nextCursor of the next page; null when this page reached the end of the chain
 * @param erasures evidence for rows without a payload
 */
public record EventPage(List<PolicyEvent> rows, @Nullable String nextCursor, List<Erasure> erasures) {

    public EventPage {
        rows = List.copyOf(rows);
        erasures = List.copyOf(erasures);
    }

    /** A page without erasures. */
    public EventPage(List<PolicyEvent> rows, @Nullable String nextCursor) {
        this(rows, nextCursor, List.of());
    }

    /**
     * The page of a query.
     *
     * @param found the rows of the query; one more than its limit shows that there is another page
     */
    public static EventPage of(EventQuery query, List<PolicyEvent> found) {
        if (found.size() <= query.limit()) {
            return new EventPage(found, null);
        }
        List<PolicyEvent> rows = found.subList(0, query.limit());
        return new EventPage(rows, query.cursor(rows.get(rows.size() - 1).seq()));
    }

    /** This page as it was when the chain ended with a row: without the rows after it, and then without a next page. */
    public EventPage upTo(long seq) {
        if (rows.stream().allMatch(row -> row.seq() <= seq)) {
            return this;
        }
        List<PolicyEvent> before = rows.stream().filter(row -> row.seq() <= seq).toList();
        return new EventPage(before, null).explainedBy(erasures);
    }

    /** The rows without a payload. */
    public List<PolicyEvent> erasedRows() {
        return rows.stream().filter(row -> row.payload() == null).toList();
    }

    /**
     * This page with the erasures that explain its rows: first those of single rows, then those of the account, each in
     * the order of the chain.
     */
    public EventPage explainedBy(Collection<Erasure> entries) {
        List<PolicyEvent> erased = erasedRows();
        Set<Long> places = erased.stream().map(PolicyEvent::seq).collect(Collectors.toSet());
        List<Erasure> mine = entries.stream()
                .filter(entry -> entry.scope() == Extent.ROW
                        ? places.contains(entry.seq())
                        : erased.stream().anyMatch(entry::covers))
                .sorted(Comparator.comparing(Erasure::scope).thenComparing(Erasure::seq))
                .toList();
        return new EventPage(rows, nextCursor, mine);
    }
}
