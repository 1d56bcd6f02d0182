package dev.agentpolicy.domain.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one page.
 *
 * @param rows in the order asked for
 * @param nextCursor where the next page begins; null only when this page reached the end
 */
public record EventPage(List<PolicyEvent> rows, @Nullable String nextCursor) {

    public EventPage {
        rows = List.copyOf(rows);
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
}
