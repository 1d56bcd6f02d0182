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

/** Finds keys by one small row that names the present revision of their user's keys. */
public final class JdbcAgentKeys implements AgentKeys {
    private final Reads reads;
    private final CurrentKeys keys;
    private final KeyCache known;
    private final BatchingReader<String, AgentKey> present;

    public JdbcAgentKeys(Reads reads, CurrentKeys keys, KeyCache known, QueryExecutor asking) {
        this.reads = reads;
        this.keys = keys;
        this.known = known;
        this.present = asking.together(this::present);
    }

    @Override
    public CompletionStage<Optional<AgentKey>> find(String credentialHash) {
        return present.ask(credentialHash);
    }

    @Override
    public Optional<AgentKey> recall(String credentialHash) {
        return known.find(credentialHash);
    }

    private Map<String, AgentKey> present(Collection<String> credentialHashes) {
        Map<String, AgentKey> found = new HashMap<>();
        for (Place place : places(credentialHashes)) {
            AgentKey key = keys.at(place.user, place.keysRev).get(place.key);
            if (key != null && key.credentialHash().equals(place.credentialHash)) {
                found.put(place.credentialHash, key);
                known.replace(key);
            }
        }
        credentialHashes.stream().filter(hash -> !found.containsKey(hash)).forEach(known::forget);
        return found;
    }

    private List<Place> places(Collection<String> credentialHashes) {
        return reads.connected(connection -> Reads.list(
                connection,
                "SELECT k.credential_hash, k.user_id, k.agent_key_id, a.keys_rev FROM agent_key k"
                        + " JOIN account a ON a.user_id = k.user_id WHERE k.credential_hash = ANY(?)",
                row -> new Place(
                        row.getString("credential_hash"),
                        RowReader.userId(row),
                        RowReader.agentKeyId(row),
                        row.getLong("keys_rev")),
                connection.createArrayOf("varchar", credentialHashes.toArray())));
    }

    private record Place(String credentialHash, UserId user, AgentKeyId key, long keysRev) {}
}
