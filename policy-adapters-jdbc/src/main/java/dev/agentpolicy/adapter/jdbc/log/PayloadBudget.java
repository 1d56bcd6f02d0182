package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * How many rows of a chain are in memory together. A payload can have {@value CanonicalForm#MAX_BYTES} bytes, so some
 * thousands of the largest would fill the heap.
 */
final class PayloadBudget {
    /** Maximum size of the payloads that are read by one query. A typical payload has about 1 KB. */
    static final int MAX_BYTES = 2 * 1024 * 1024;

    private static final int ALWAYS_FIT = MAX_BYTES / CanonicalForm.MAX_BYTES;

    private PayloadBudget() {}

    /**
     * How many of the first rows of a query fit, at least one. Large rows are noticed among the first few; for few rows,
     * nothing is asked.
     *
     * @param from the query after its columns, for rows {@code e} of the journal; its last parameter is the limit
     * @param limit how many rows the query has at most
     * @param values the other parameters
     */
    static int fitting(Connection connection, String from, int limit, Object... values) throws SQLException {
        if (limit <= ALWAYS_FIT) {
            return limit;
        }
        int first = Math.min(limit, 2 * ALWAYS_FIT);
        int fitting = fitting(sizes(connection, from, first, values), first);
        return fitting < first || first == limit ? fitting : fitting(sizes(connection, from, limit, values), limit);
    }

    private static int fitting(List<Long> sizes, int limit) {
        long bytes = 0;
        for (int i = 0; i < sizes.size(); i++) {
            bytes += sizes.get(i);
            if (bytes > MAX_BYTES && i > 0) {
                return i;
            }
        }
        return limit;
    }

    private static List<Long> sizes(Connection connection, String from, int limit, Object... values)
            throws SQLException {
        Object[] all = Arrays.copyOf(values, values.length + 1);
        all[values.length] = limit;
        return Reads.list(connection, "SELECT octet_length(e.payload_canonical)" + from, row -> row.getLong(1), all);
    }
}
