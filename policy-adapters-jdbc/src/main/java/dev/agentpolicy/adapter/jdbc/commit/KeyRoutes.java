package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.domain.agent.AgentKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The routing table of a cluster, on its coordinator: whose key a credential is, and so on which worker the key lies. A route is
 * durable before its key, so every key that was acknowledged is found. A route whose key was not committed leads to nothing.
 */
public record KeyRoutes(ConnectionSource coordinator, Dialect dialect, KeyCache cache) {
    private static final String ADDING = "INSERT INTO key_route(credential_hash, user_id)"
            + " SELECT unnest(CAST(? AS varchar ARRAY)), unnest(CAST(? AS uuid ARRAY)) ON CONFLICT DO NOTHING";

    /** Stores the routes of keys that this node does not know to have one. */
    void add(Stream<AgentKey> keys) throws SQLException {
        List<AgentKey> added = dialect.isDistributed()
                ? keys.filter(key -> cache.owner(key.credentialHash()).isEmpty())
                        .toList()
                : List.of();
        if (added.isEmpty()) {
            return;
        }
        try (Connection connection = coordinator.getConnection()) {
            Sql.update(
                    connection,
                    ADDING,
                    List.of(
                            Parameter.texts(added, AgentKey::credentialHash),
                            Parameter.uuids(added, key -> key.userId().value())));
        }
        added.forEach(key -> cache.route(key.credentialHash(), key.userId()));
    }
}
