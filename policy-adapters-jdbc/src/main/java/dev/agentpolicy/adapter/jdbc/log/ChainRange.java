package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.log.RowCache.Key;
import dev.agentpolicy.adapter.jdbc.log.RowCache.Place;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Order;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Some rows of a chain, one after the other. That the places of a chain have no gaps is known; asked are where it ends, and
 * which payloads are erased.
 *
 * @param of whose chain, and which rows
 * @param head where the chain ends
 * @param lastHash of the last of the rows
 * @param erased places without a payload
 */
record ChainRange(Span of, ChainHead head, String lastHash, Set<Long> erased) {
    private static final String LAST = "LEAST(n.high, t.seq)";
    private static final String SQL =
            "SELECT n.user_id, n.low, n.high, n.most, t.seq AS chain_seq, t.hash AS chain_hash,"
                    + " t.created_at AS chain_created_at, CASE WHEN n.high >= t.seq THEN t.hash ELSE (SELECT e.hash FROM"
                    + " policy_event e WHERE e.user_id = n.user_id AND e.seq = n.high) END AS last_hash, ARRAY(SELECT e.seq"
                    + " FROM policy_event e WHERE e.user_id = n.user_id AND e.payload_canonical IS NULL"
                    + " AND e.seq > GREATEST(n.low, " + LAST + " - n.most) AND e.seq <= " + LAST + ") AS erased"
                    + " FROM unnest(" + Sql.given("uuid") + ", " + Sql.given("bigint") + ", " + Sql.given("bigint")
                    + ", "
                    + Sql.given("bigint") + ") AS n(user_id, low, high, most)"
                    + " JOIN policy_event t ON t.user_id = n.user_id AND t.seq = (SELECT p.seq FROM policy_event p"
                    + " WHERE p.user_id = n.user_id ORDER BY p.user_id DESC, p.seq DESC LIMIT 1)";

    /**
     * What is asked for.
     *
     * @param low the place before the first that may be among the rows
     * @param high the last that may be
     * @param most of these at most so many, the last ones
     */
    record Span(UserId user, long low, long high, long most) {

        /** The last rows there are. */
        static Span newest(UserId user, int most) {
            return new Span(user, 0, Long.MAX_VALUE, most);
        }

        /** Those of a page, whatever is in them. */
        static Span of(UserId user, EventQuery query) {
            long most = query.limit();
            if (query.order() == Order.DESC) {
                return new Span(user, 0, query.after().orElse(Long.MAX_VALUE) - 1, most);
            }
            long low = Math.min(query.after().orElse(0), Long.MAX_VALUE - most);
            return new Span(user, low, low + most, most);
        }
    }

    /** What there is of each; nothing of an empty chain. */
    static List<ChainRange> find(Connection connection, Collection<Span> asked) throws SQLException {
        return Reads.list(
                connection,
                SQL,
                ChainRange::read,
                array(connection, "uuid", asked, span -> span.user.value()),
                array(connection, "bigint", asked, Span::low),
                array(connection, "bigint", asked, Span::high),
                array(connection, "bigint", asked, Span::most));
    }

    private static Array array(Connection connection, String type, Collection<Span> asked, Function<Span, Object> value)
            throws SQLException {
        return connection.createArrayOf(type, asked.stream().map(value).toArray());
    }

    private static ChainRange read(ResultSet row) throws SQLException {
        UserId user = new UserId(row.getObject("user_id", UUID.class));
        Array erased = row.getArray("erased");
        return new ChainRange(
                new Span(user, row.getLong("low"), row.getLong("high"), row.getLong("most")),
                AccountRow.head(row),
                EventColumns.hash(row, "last_hash"),
                Arrays.stream((Object[]) erased.getArray())
                        .map(Long.class::cast)
                        .collect(Collectors.toSet()));
    }

    /** Where its rows are, newest first. */
    List<Place> places() {
        return LongStream.range(above(), top())
                .map(before -> above() + top() - before)
                .mapToObj(seq -> new Place(new Key(of.user, seq), erased.contains(seq)))
                .toList();
    }

    /** Whether it begins where the chain does. */
    boolean isFromTheBeginning() {
        return above() == 0;
    }

    /** The place before the first. */
    private long above() {
        return Math.max(of.low, top() - of.most);
    }

    /** The last place. */
    private long top() {
        return Math.min(of.high, head.seq());
    }
}
