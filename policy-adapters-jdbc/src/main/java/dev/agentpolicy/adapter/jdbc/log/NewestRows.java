package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.log.RowCache.Place;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The places of the newest rows of a chain. A chain has no gaps, so its last seq and the rows whose payload was erased say
 * everything that a reader with a {@link RowCache} has to ask the database.
 *
 * @param of whose rows, and how many at most
 * @param last the seq of the last row
 * @param erased the places without a payload
 */
record NewestRows(Span of, long last, Set<Long> erased) {
    private static String sql(Dialect dialect) {
        return "SELECT n.user_id, n.most, t.seq, ARRAY(SELECT e.seq FROM policy_event e WHERE e.user_id = n.user_id"
                + dialect.ofUsers("e")
                + " AND e.payload_canonical IS NULL AND e.seq > t.seq - n.most) AS erased"
                + " FROM " + dialect.given("n", "user_id uuid", "most bigint")
                + " JOIN policy_event t ON t.user_id = n.user_id AND t.seq = (SELECT p.seq FROM policy_event p"
                + " WHERE p.user_id = n.user_id" + dialect.ofUsers("p")
                + " ORDER BY p.user_id DESC, p.seq DESC LIMIT 1)"
                + dialect.ofUsers("t");
    }

    /**
     * The last rows of a chain.
     *
     * @param most how many rows at most
     */
    record Span(UserId user, int most) {}

    /** Reads the places of several chains; an empty chain has no entry. */
    static List<NewestRows> find(Connection connection, Dialect dialect, Collection<Span> spans) throws SQLException {
        List<NewestRows> found = new ArrayList<>();
        Parameter users = Parameter.uuids(spans, span -> span.user.value());
        Parameter most = Parameter.bigints(spans, span -> (long) span.most);
        Sql.each(
                connection,
                sql(dialect),
                row -> found.add(read(row)),
                dialect.isDistributed()
                        ? new Parameter[] {users, users, most, users, users}
                        : new Parameter[] {users, most});
        return found;
    }

    private static NewestRows read(ResultSet row) throws SQLException {
        Array erased = row.getArray("erased");
        return new NewestRows(
                new Span(RowReader.userId(row), row.getInt("most")),
                row.getLong("seq"),
                Arrays.stream((Object[]) erased.getArray())
                        .map(Long.class::cast)
                        .collect(Collectors.toSet()));
    }

    /** The places of its rows, newest first. */
    List<Place> places() {
        return LongStream.range(before(), last)
                .map(below -> before() + last - below)
                .mapToObj(seq -> new Place(new RowCache.RowKey(of.user, seq), erased.contains(seq)))
                .toList();
    }

    /** Whether it holds the whole chain. */
    boolean isWholeChain() {
        return before() == 0;
    }

    /** The place before the first row. */
    private long before() {
        return Math.max(0, last - of.most);
    }
}
