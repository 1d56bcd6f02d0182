package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.KnownRows.Place;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The last rows of a chain. That the places of a chain have no gaps is known; asked are where it ends, and which payloads
 * are erased.
 *
 * @param above the place before the first
 * @param top the last
 * @param erased places without a payload
 */
record Stretch(long above, long top, Set<Long> erased) {
    private static final String SQL = "SELECT t.seq AS top, e.seq AS erased FROM (SELECT user_id, seq FROM policy_event"
            + " WHERE user_id = ? ORDER BY user_id DESC, seq DESC LIMIT 1) AS t LEFT JOIN policy_event e"
            + " ON e.user_id = t.user_id AND e.payload_canonical IS NULL AND e.seq > t.seq - ? AND e.seq <= t.seq";

    /** As many as that, or all there are. */
    static Stretch newest(Connection connection, UserId user, int most) throws SQLException {
        List<Found> found = Reads.list(connection, SQL, Found::read, user.value(), (long) most);
        long top = found.isEmpty() ? 0 : found.get(0).top;
        Set<Long> erased =
                found.stream().map(Found::erased).filter(seq -> seq > 0).collect(Collectors.toSet());
        return new Stretch(Math.max(0, top - most), top, erased);
    }

    /** Where its rows are, newest first. */
    List<Place> places() {
        return LongStream.range(above, top)
                .map(before -> above + top - before)
                .mapToObj(seq -> new Place(seq, erased.contains(seq)))
                .toList();
    }

    /** Whether it begins where the chain does. */
    boolean isFromTheBeginning() {
        return above == 0;
    }

    private record Found(long top, long erased) {

        static Found read(ResultSet row) throws SQLException {
            return new Found(row.getLong("top"), row.getLong("erased"));
        }
    }
}
