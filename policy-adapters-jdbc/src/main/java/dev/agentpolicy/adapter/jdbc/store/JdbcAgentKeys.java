package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.BatchingReader;
import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.port.AgentKeys;
import java.sql.Array;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Finds keys by the hash of their credential, each time anew, so that a key that any node has revoked is not found valid. */
public final class JdbcAgentKeys implements AgentKeys {
    private static final String BY_SECRET = "SELECT * FROM agent_key WHERE credential_hash = ANY(?)"
            + " UNION ALL SELECT * FROM agent_key WHERE previous_hash = ANY(?)";

    private final Reads reads;
    private final KeyCache known;
    private final BatchingReader<String, AgentKey> current;

    public JdbcAgentKeys(Reads reads, KeyCache known, QueryExecutor queries) {
        this.reads = reads;
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
        reads.connected(connection -> {
            Array hashes = connection.createArrayOf("varchar", credentialHashes.toArray());
            Reads.list(connection, BY_SECRET, RowReader::key, hashes, hashes)
                    .forEach(key -> credentialHashes.stream()
                            .filter(key::hasSecret)
                            .forEach(hash -> found.put(hash, key.presentedBy(hash))));
            return found;
        });
        found.values().forEach(known::replace);
        credentialHashes.stream().filter(hash -> !found.containsKey(hash)).forEach(known::forget);
        return found;
    }
}
