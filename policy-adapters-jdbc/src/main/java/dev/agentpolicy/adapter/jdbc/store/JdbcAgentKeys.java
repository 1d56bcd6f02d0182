package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.BatchingReader;
import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.cache.CurrentKeys;
import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AgentKeys;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Finds keys by the hash of their credential. One small row gives the current revision of the user's keys; the keys come from a cache. */
public final class JdbcAgentKeys implements AgentKeys {
    private final Reads reads;
    private final CurrentKeys keys;
    private final KeyCache known;
    private final BatchingReader<String, AgentKey> current;

    public JdbcAgentKeys(Reads reads, CurrentKeys keys, KeyCache known, QueryExecutor queries) {
        this.reads = reads;
        this.keys = keys;
        this.known = known;
        this.current = queries.batching(this::current);
    }

    @Override
    public CompletionStage<Optional<AgentKey>> find(String credentialHash) {
        return current.find(credentialHash);
    }

    @Override
    public Optional<AgentKey> recall(String credentialHash) {
        return known.find(credentialHash);
    }

    private Map<String, AgentKey> current(Collection<String> credentialHashes) {
        Map<String, AgentKey> found = new HashMap<>();
        for (Location location : locations(credentialHashes)) {
            AgentKey key = keys.at(location.user, location.keysRev).get(location.key);
            if (key != null && key.hasSecret(location.credentialHash)) {
                AgentKey presented = key.presentedBy(location.credentialHash);
                found.put(location.credentialHash, presented);
                known.replace(presented);
            }
        }
        credentialHashes.stream().filter(hash -> !found.containsKey(hash)).forEach(known::forget);
        return found;
    }

    private List<Location> locations(Collection<String> credentialHashes) {
        return reads.connected(connection -> Reads.list(
                connection,
                by("credential_hash") + " UNION ALL " + by("previous_hash"),
                row -> new Location(
                        row.getString("secret_hash"),
                        RowReader.userId(row),
                        RowReader.agentKeyId(row),
                        row.getLong("keys_rev")),
                connection.createArrayOf("varchar", credentialHashes.toArray()),
                connection.createArrayOf("varchar", credentialHashes.toArray())));
    }

    private static String by(String column) {
        return "SELECT k." + column + " AS secret_hash, k.user_id, k.agent_key_id, a.keys_rev FROM agent_key k"
                + " JOIN account a ON a.user_id = k.user_id WHERE k." + column + " = ANY(?)";
    }

    private record Location(String credentialHash, UserId user, AgentKeyId key, long keysRev) {}
}
