package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.log.RowCache.Place;
import dev.agentpolicy.adapter.jdbc.log.RowCache.RowKey;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Finds the places of rows, whose contents a reader with a {@link RowCache} mostly has. */
record PlaceReader(Connection connection) {
    private static final int MAX_RANGES = 64;
    private static final String RANGE = "(SELECT " + Place.COLUMNS + " FROM policy_event e"
            + " WHERE e.user_id = ? AND e.agent_key_id = ? AND e.allowed = ? AND e.seq >= ? AND e.seq < ?"
            + " ORDER BY e.user_id DESC, e.agent_key_id DESC, e.allowed DESC, e.seq DESC LIMIT ?)";

    /** The newest decisions of a user from one seq to before another. */
    List<Place> decisions(UserId user, long from, long end, int limit) throws SQLException {
        return Reads.list(
                connection,
                "SELECT " + Place.COLUMNS + " FROM policy_event e WHERE e.user_id = ? AND e.seq >= ? AND e.seq < ?"
                        + " AND kind = ? ORDER BY e.user_id DESC, e.seq DESC LIMIT ?",
                Place::read,
                user.value(),
                from,
                end,
                EventColumns.kind(EventKind.GUARDRAIL_DECISION),
                limit);
    }

    /**
     * Finds decisions by key and verdict. The decisions of one key with one verdict are one range of the index, so the
     * newest decisions of several ranges are among the newest of each.
     */
    List<Place> decisions(UserId user, List<UUID> keys, @Nullable Boolean verdict, long from, long end, int limit)
            throws SQLException {
        List<Object[]> ranges = new ArrayList<>();
        for (UUID key : keys) {
            for (boolean allowed : verdict == null ? List.of(true, false) : List.of(verdict)) {
                ranges.add(new Object[] {user.value(), key, allowed, from, end, limit});
            }
        }
        List<Place> found = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i += MAX_RANGES) {
            List<Object[]> some = ranges.subList(i, Math.min(i + MAX_RANGES, ranges.size()));
            found.addAll(Reads.list(
                    connection,
                    String.join(" UNION ALL ", Collections.nCopies(some.size(), RANGE)),
                    Place::read,
                    some.stream().flatMap(Arrays::stream).toArray()));
        }
        found.sort(Comparator.comparingLong(Place::seq).reversed());
        return found.subList(0, Math.min(limit, found.size()));
    }

    List<UUID> keys(UserId user) throws SQLException {
        return Reads.list(
                connection,
                "SELECT agent_key_id FROM agent_key WHERE user_id = ?",
                row -> row.getObject(1, UUID.class),
                user.value());
    }

    /**
     * The last rows of a chain.
     *
     * @param most how many rows at most
     */
    record Span(UserId user, int most) {}

    /**
     * The newest rows of a chain. A chain has no gaps, so its last seq and the rows whose payload was erased say where they
     * are.
     *
     * @param last the seq of the last row
     * @param erased the places without a payload
     */
    record NewestRows(Span of, long last, Set<Long> erased) {

        /** The places of its rows, newest first. */
        List<Place> places() {
            return LongStream.range(before(), last)
                    .map(below -> before() + last - below)
                    .mapToObj(seq -> new Place(new RowKey(of.user, seq), erased.contains(seq)))
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

    /** The newest rows of several chains; an empty chain has no entry. */
    List<NewestRows> newest(Dialect dialect, Collection<Span> spans) throws SQLException {
        Parameter users = Parameter.uuids(spans, span -> span.user.value());
        Parameter most = Parameter.bigints(spans, span -> (long) span.most);
        List<NewestRows> found = new ArrayList<>();
        Sql.each(
                connection,
                "SELECT n.user_id, n.most, t.seq, ARRAY(SELECT e.seq FROM policy_event e WHERE e.user_id = n.user_id"
                        + dialect.ofUsers("e")
                        + " AND e.payload_canonical IS NULL AND e.seq > t.seq - n.most) AS erased"
                        + " FROM " + dialect.given("n", "user_id uuid", "most bigint")
                        + " JOIN policy_event t ON t.user_id = n.user_id AND t.seq = (SELECT p.seq FROM policy_event p"
                        + " WHERE p.user_id = n.user_id" + dialect.ofUsers("p")
                        + " ORDER BY p.user_id DESC, p.seq DESC LIMIT 1)" + dialect.ofUsers("t"),
                row -> found.add(new NewestRows(
                        new Span(RowReader.userId(row), row.getInt("most")),
                        row.getLong("seq"),
                        Arrays.stream((Object[]) row.getArray("erased").getArray())
                                .map(Long.class::cast)
                                .collect(Collectors.toSet()))),
                dialect.isDistributed()
                        ? new Parameter[] {users, users, most, users, users}
                        : new Parameter[] {users, most});
        return found;
    }
}
