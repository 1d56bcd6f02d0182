package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.KnownRows.Key;
import dev.agentpolicy.adapter.jdbc.KnownRows.Place;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The last rows of a chain. That the places of a chain have no gaps is known; asked are where it ends, and which payloads
 * are erased.
 *
 * @param of whose chain, and how many
 * @param top the last place
 * @param erased places without a payload
 */
record Stretch(Newest of, long top, Set<Long> erased) {
    private static final String SQL = "SELECT n.u, n.most, t.seq AS top, ARRAY(SELECT e.seq FROM policy_event e"
            + " WHERE e.user_id = n.u AND e.payload_canonical IS NULL AND e.seq > t.seq - n.most AND e.seq <= t.seq)"
            + " AS erased FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS bigint ARRAY)) AS n(u, most)"
            + " JOIN policy_event t ON t.user_id = n.u AND t.seq = (SELECT p.seq FROM policy_event p"
            + " WHERE p.user_id = n.u ORDER BY p.user_id DESC, p.seq DESC LIMIT 1)";

    /** What is asked for: as many rows as that, or all there are. */
    record Newest(UserId user, int most) {}

    /** What there is of each; nothing of an empty chain. */
    static List<Stretch> find(Connection connection, Collection<Newest> asked) throws SQLException {
        return Reads.list(
                connection,
                SQL,
                Stretch::read,
                connection.createArrayOf(
                        "uuid", asked.stream().map(it -> it.user.value()).toArray()),
                connection.createArrayOf(
                        "bigint", asked.stream().map(it -> (long) it.most).toArray()));
    }

    private static Stretch read(ResultSet row) throws SQLException {
        Array erased = row.getArray("erased");
        return new Stretch(
                new Newest(new UserId(row.getObject("u", UUID.class)), row.getInt("most")),
                row.getLong("top"),
                Arrays.stream((Object[]) erased.getArray())
                        .map(Long.class::cast)
                        .collect(Collectors.toSet()));
    }

    /** Where its rows are, newest first. */
    List<Place> places() {
        return LongStream.range(above(), top)
                .map(before -> above() + top - before)
                .mapToObj(seq -> new Place(new Key(of.user, seq), erased.contains(seq)))
                .toList();
    }

    /** Whether it begins where the chain does. */
    boolean isFromTheBeginning() {
        return above() == 0;
    }

    /** The place before the first. */
    private long above() {
        return Math.max(0, top - of.most);
    }
}
