package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.Erasure.Scope;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one page.
 *
 * @param rows in the order asked for
 * @param nextCursor where the next page begins; null only when this page reached the end
 * @param erasures the evidence of why rows of the page have no payload
 */
public record EventPage(List<PolicyEvent> rows, @Nullable String nextCursor, List<Erasure> erasures) {

    public EventPage {
        rows = List.copyOf(rows);
        erasures = List.copyOf(erasures);
    }

    /** A page without evidence of erasures. */
    public EventPage(List<PolicyEvent> rows, @Nullable String nextCursor) {
        this(rows, nextCursor, List.of());
    }

    /**
     * The page of a query.
     *
     * @param found the rows of the query, one more than its limit when there are more
     */
    public static EventPage of(EventQuery query, List<PolicyEvent> found) {
        if (found.size() <= query.limit()) {
            return new EventPage(found, null);
        }
        List<PolicyEvent> rows = found.subList(0, query.limit());
        return new EventPage(rows, Cursor.text(query, rows.get(rows.size() - 1).seq()));
    }

    /** The rows without a payload. */
    public List<PolicyEvent> erasedRows() {
        return rows.stream().filter(row -> row.payload() == null).toList();
    }

    /**
     * The page with those of some entries that are about its rows: entries of erased rows, then entries of the whole
     * account that cover one, each in the order of the chain.
     */
    public EventPage explainedBy(Collection<Erasure> entries) {
        List<PolicyEvent> erased = erasedRows();
        Set<Long> places = erased.stream().map(PolicyEvent::seq).collect(Collectors.toSet());
        List<Erasure> mine = entries.stream()
                .filter(entry -> entry.scope() == Scope.ROW
                        ? places.contains(entry.seq())
                        : erased.stream().anyMatch(entry::covers))
                .sorted(Comparator.comparing(Erasure::scope).thenComparing(Erasure::seq))
                .toList();
        return new EventPage(rows, nextCursor, mine);
    }
}
