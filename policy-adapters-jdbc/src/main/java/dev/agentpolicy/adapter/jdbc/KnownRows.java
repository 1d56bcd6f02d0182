package dev.agentpolicy.adapter.jdbc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.EventKind;
import dev.agentpolicy.domain.event.LoggedDecision;
import dev.agentpolicy.domain.event.PolicyEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of chains that the audit feed read before. Nothing of a row ever changes but its payload, which may be erased; so the
 * database is asked which rows there are and whether they still have one, which is short, and not for what is in them.
 */
final class KnownRows {
    private static final int MAX_BYTES = 32 * 1024 * 1024;
    private static final int BYTES_BESIDE_PAYLOAD = 3_000;

    private final Cache<Key, Row> rows = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((Key key, Row row) -> row.bytes())
            .executor(Runnable::run)
            .build();

    /** The rows at places, in their order; fewer only in a database that somebody took rows from. */
    List<Row> at(Connection connection, UserId user, List<Place> places) throws SQLException {
        Map<Long, Row> found = new HashMap<>(places.size() * 2);
        for (Place place : places) {
            Row row = rows.getIfPresent(new Key(user, place.seq));
            if (row != null && row.isErased() == place.isErased) {
                found.put(place.seq, row);
            }
        }
        if (found.size() < places.size()) {
            List<Long> unknown = places.stream()
                    .map(Place::seq)
                    .filter(seq -> !found.containsKey(seq))
                    .toList();
            load(connection, user, unknown, found);
        }
        return places.stream()
                .flatMap(place -> Stream.ofNullable(found.get(place.seq)))
                .toList();
    }

    private void load(Connection connection, UserId user, List<Long> seqs, Map<Long, Row> found) throws SQLException {
        String sql = "SELECT " + Rows.EVENT + " FROM unnest(CAST(? AS bigint ARRAY)) AS n(s)"
                + " JOIN policy_event e ON e.user_id = ? AND e.seq = n.s";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setArray(1, connection.createArrayOf("bigint", seqs.toArray()));
            query.setObject(2, user.value());
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    PolicyEvent event = Rows.event(user, row);
                    Row read = new Row(event);
                    found.put(event.seq(), read);
                    rows.put(new Key(user, event.seq()), read);
                }
            }
        }
    }

    /**
     * Where a row is.
     *
     * @param isErased whether its payload is gone
     */
    record Place(long seq, boolean isErased) {
        static final String COLUMNS = "seq, payload_canonical IS NULL AS erased";

        static Place read(ResultSet row) throws SQLException {
            return new Place(row.getLong(1), row.getBoolean(2));
        }
    }

    private record Key(UserId user, long seq) {}

    /** A row, and what it tells if it is a decision. */
    static final class Row {
        private final PolicyEvent event;
        private volatile @Nullable LoggedDecision decision;

        private Row(PolicyEvent event) {
            this.event = event;
        }

        PolicyEvent event() {
            return event;
        }

        Optional<LoggedDecision> decision() {
            LoggedDecision known = decision;
            if (known == null && !isErased()) {
                known = LoggedDecision.of(event).orElseThrow();
                decision = known;
            }
            return Optional.ofNullable(known);
        }

        boolean isDecision() {
            return event.kind() == EventKind.GUARDRAIL_DECISION;
        }

        private boolean isErased() {
            return event.payload() == null;
        }

        private int bytes() {
            String payload = event.payload();
            return BYTES_BESIDE_PAYLOAD + (payload == null ? 0 : 2 * payload.length());
        }
    }
}
