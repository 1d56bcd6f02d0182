package dev.agentpolicy.adapter.jdbc.log;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.KeyNumbers;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Caches rows for the audit feed. Nothing of a row changes but its payload, which may be erased. So the feed asks the
 * database which rows there are and which payloads are erased, and for the contents of new rows only.
 */
final class RowCache {
    private static final int MAX_BYTES = 24 * 1024 * 1024;
    private static final int BYTES_BESIDE_PAYLOAD = 3_000;

    private final Dialect dialect;
    private final KeyNumbers keyNumbers;

    private final Cache<RowKey, Row> rows = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((RowKey key, Row row) -> row.bytes())
            .executor(Runnable::run)
            .build();

    RowCache(Dialect dialect, KeyNumbers keyNumbers) {
        this.dialect = dialect;
        this.keyNumbers = keyNumbers;
    }

    void forget() {
        rows.invalidateAll();
    }

    /** The rows at places, in their order; rows that were deleted are left out. */
    List<Row> at(Connection connection, List<Place> places) throws SQLException {
        return inOrder(places, find(connection, places));
    }

    /** Selects the rows at places, in their order. */
    static List<Row> inOrder(List<Place> places, Map<RowKey, Row> found) {
        return places.stream()
                .flatMap(place -> Stream.ofNullable(found.get(place.key)))
                .toList();
    }

    /** The rows at places of several chains. */
    Map<RowKey, Row> find(Connection connection, Collection<Place> places) throws SQLException {
        Map<RowKey, Row> found = new HashMap<>(places.size() * 2);
        for (Place place : places) {
            Row row = rows.getIfPresent(place.key);
            if (row != null && row.isErased() == place.isErased) {
                found.put(place.key, row);
            }
        }
        if (found.size() < places.size()) {
            List<RowKey> unknown = places.stream()
                    .map(Place::key)
                    .filter(key -> !found.containsKey(key))
                    .toList();
            for (Row row : load(connection, unknown)) {
                RowKey key = new RowKey(row.event.userId(), row.event.seq());
                found.put(key, row);
                rows.put(key, row);
            }
        }
        return found;
    }

    private List<Row> load(Connection connection, List<RowKey> keys) throws SQLException {
        if (!dialect.isDistributed()) {
            return loadTogether(connection, keys);
        }
        List<Row> loaded = new ArrayList<>();
        for (UserId user : keys.stream().map(RowKey::user).collect(Collectors.toSet())) {
            Object[] seqs = keys.stream()
                    .filter(key -> key.user.equals(user))
                    .map(RowKey::seq)
                    .toArray();
            loaded.addAll(Reads.list(
                    connection,
                    "SELECT " + RowReader.LINKED_EVENT + " FROM policy_event e WHERE e.user_id = ? AND e.seq = ANY(?)",
                    row -> new Row(RowReader.event(keyNumbers, user, row)),
                    user.value(),
                    user.value(),
                    connection.createArrayOf("bigint", seqs)));
        }
        return loaded;
    }

    private List<Row> loadTogether(Connection connection, List<RowKey> keys) throws SQLException {
        return Reads.list(
                connection,
                "SELECT e.user_id, " + RowReader.LINKED_EVENT_OF_ANY
                        + " FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS bigint ARRAY))"
                        + " AS n(u, s) JOIN policy_event e ON e.user_id = n.u AND e.seq = n.s",
                row -> new Row(RowReader.event(keyNumbers, RowReader.userId(row), row)),
                connection.createArrayOf(
                        "uuid", keys.stream().map(key -> key.user.value()).toArray()),
                connection.createArrayOf(
                        "bigint", keys.stream().map(RowKey::seq).toArray()));
    }

    /**
     * The place of a row.
     *
     * @param isErased whether its payload is erased
     */
    record Place(RowKey key, boolean isErased) {
        static final String COLUMNS = "e.user_id, e.seq, payload_canonical IS NULL AS erased";

        static Place read(ResultSet row) throws SQLException {
            return new Place(new RowKey(RowReader.userId(row), row.getLong(2)), row.getBoolean(3));
        }

        long seq() {
            return key.seq;
        }
    }

    /** The key of a row. */
    record RowKey(UserId user, long seq) {}

    /** A row and, if it is a decision, its parsed payload. */
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
