package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.KnownRows.Place;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.EventQuery;
import dev.agentpolicy.domain.event.EventQuery.Order;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Rows of a chain that follow each other, as of one moment. That the places of a chain have no gaps is known; asked are
 * the account, which says where the chain ends, and which payloads are erased.
 *
 * @param account as it stands
 * @param above the place before the first
 * @param top the last
 * @param erased places without a payload
 */
record Stretch(AccountRow account, long above, long top, Set<Long> erased) {
    private static final String SQL = "SELECT a.*, e.seq AS erased FROM account a LEFT JOIN policy_event e"
            + " ON e.user_id = a.user_id AND e.payload_canonical IS NULL AND e.seq > ?"
            + " AND e.seq > LEAST(?, a.chain_seq) - ? AND e.seq <= LEAST(?, a.chain_seq) WHERE a.user_id = ?";

    /** The rows of a page without filters, and one more if there is one. */
    static Stretch of(Connection connection, UserId user, EventQuery query) throws SQLException {
        int most = query.limit() + 1;
        if (query.order() == Order.DESC) {
            return newest(connection, user, query.after().orElse(Long.MAX_VALUE) - 1, most);
        }
        long after = query.after().orElse(0);
        return read(connection, user, after, Math.max(after, after + most), most);
    }

    /** The last rows of a chain up to a place. */
    static Stretch newest(Connection connection, UserId user, long upTo, int most) throws SQLException {
        return read(connection, user, 0, upTo, most);
    }

    private static Stretch read(Connection connection, UserId user, long above, long upTo, int most)
            throws SQLException {
        List<Found> found = Reads.list(connection, SQL, Found::read, above, upTo, (long) most, upTo, user.value());
        AccountRow account = found.isEmpty() ? AccountRow.none(user) : found.get(0).account;
        Set<Long> erased =
                found.stream().map(Found::erased).filter(seq -> seq > 0).collect(Collectors.toSet());
        long top = Math.min(upTo, account.head().seq());
        return new Stretch(account, Math.max(above, top - most), top, erased);
    }

    /** Where its rows are, in an order. */
    List<Place> places(Order order) {
        return LongStream.range(above, top)
                .map(before -> order == Order.ASC ? before + 1 : above + top - before)
                .mapToObj(seq -> new Place(seq, erased.contains(seq)))
                .toList();
    }

    /** Whether it begins where the chain does. */
    boolean isFromTheBeginning() {
        return above == 0;
    }

    private record Found(AccountRow account, long erased) {

        static Found read(ResultSet row) throws SQLException {
            return new Found(AccountRow.read(row), row.getLong("erased"));
        }
    }
}
