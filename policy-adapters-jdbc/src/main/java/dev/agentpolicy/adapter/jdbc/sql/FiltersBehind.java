package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * An index in a table of its own, to which the events of an account are added many at a time. H2 writes whole pages of every
 * index at every commit, and of one that begins with users a page or more for each account; of this one they are written
 * once for many events.
 */
final class FiltersBehind extends Filters {
    /** As many events of an account are added at once; readers have fewer to look through, or those of one more batch. */
    private static final long STRIDE = 32;
    /** So many at most, should it ever be far behind. */
    private static final long MAX = 4_096;

    /** Makes the tables and takes in what there is. */
    static final String MAKING = "CREATE TABLE event_filter (user_id uuid NOT NULL, agent_key_id uuid, allowed boolean,"
            + " seq bigint NOT NULL);"
            + "CREATE TABLE event_filter_end (user_id uuid NOT NULL PRIMARY KEY, seq bigint NOT NULL);"
            + "INSERT INTO event_filter(user_id, agent_key_id, allowed, seq)"
            + " SELECT user_id, agent_key_id, allowed, seq FROM policy_event;"
            + "INSERT INTO event_filter_end(user_id, seq) SELECT user_id, max(seq) FROM policy_event GROUP BY user_id;"
            + "CREATE INDEX event_filter_place ON event_filter (user_id, agent_key_id, allowed, seq);"
            + "DROP INDEX policy_event_filter";

    private static final String ENDS = "SELECT user_id, seq FROM event_filter_end WHERE user_id = ANY(?)";
    private static final String ADDING = "INSERT INTO event_filter(user_id, agent_key_id, allowed, seq)"
            + " SELECT e.user_id, e.agent_key_id, e.allowed, e.seq FROM unnest(CAST(? AS uuid ARRAY),"
            + " CAST(? AS bigint ARRAY), CAST(? AS bigint ARRAY)) AS n(u, above, upto)"
            + " JOIN policy_event e ON e.user_id = n.u AND e.seq > n.above AND e.seq <= n.upto";
    private static final String NOTING = "MERGE INTO event_filter_end(user_id, seq) KEY(user_id)"
            + " SELECT * FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS bigint ARRAY)) AS v(user_id, seq)";

    @Override
    String rows() {
        return "event_filter f JOIN policy_event e ON e.user_id = f.user_id AND e.seq = f.seq";
    }

    @Override
    String indexed() {
        return "f";
    }

    @Override
    public OptionalLong end(Connection connection, UserId user) throws SQLException {
        return OptionalLong.of(ends(connection, List.of(user)).getOrDefault(user, 0L));
    }

    @Override
    public void follow(Connection connection, Stream<Growth> accounts) throws SQLException {
        List<Growth> due = accounts.filter(FiltersBehind::isDue).toList();
        if (due.isEmpty()) {
            return;
        }
        Map<UserId, Long> ends = ends(connection, due.stream().map(Growth::user).toList());
        List<Growth> missing = due.stream()
                .map(it -> {
                    long end = ends.getOrDefault(it.user(), 0L);
                    return new Growth(it.user(), end, Math.min(it.after(), end + MAX));
                })
                .toList();
        Parameter users = Parameter.uuids(missing, it -> it.user().value());
        Parameter upTo = Parameter.bigints(missing, Growth::after);
        Sql.update(connection, ADDING, users, Parameter.bigints(missing, Growth::before), upTo);
        Sql.update(connection, NOTING, users, upTo);
    }

    /** Not for all accounts at the same places, so that those who grow alike do not have their turn in the same commit. */
    private static boolean isDue(Growth account) {
        long shift = Math.floorMod(account.user().hashCode(), STRIDE);
        return (account.before() + shift) / STRIDE < (account.after() + shift) / STRIDE;
    }

    private static Map<UserId, Long> ends(Connection connection, Collection<UserId> users) throws SQLException {
        Map<UserId, Long> ends = new HashMap<>();
        Sql.each(
                connection,
                ENDS,
                row -> ends.put(RowReader.userId(row), row.getLong("seq")),
                Parameter.uuids(users, UserId::value));
        return ends;
    }
}
