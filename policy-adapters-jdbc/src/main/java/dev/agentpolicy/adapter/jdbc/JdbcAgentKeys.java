package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AgentKeys;
import java.util.Optional;

/** Finds keys by one small row that names the present revision of their user's keys. */
record JdbcAgentKeys(Reads reads, CurrentKeys keys, KnownKeys known) implements AgentKeys {

    @Override
    public Optional<AgentKey> find(String credentialHash) {
        Optional<AgentKey> found = place(credentialHash)
                .flatMap(place ->
                        Optional.ofNullable(keys.at(place.user, place.keysRev).get(place.key)))
                .filter(key -> key.credentialHash().equals(credentialHash));
        found.ifPresentOrElse(known::replace, () -> known.forget(credentialHash));
        return found;
    }

    @Override
    public Optional<AgentKey> recall(String credentialHash) {
        return known.find(credentialHash);
    }

    private Optional<Place> place(String credentialHash) {
        return reads.first(
                "SELECT k.user_id, k.agent_key_id, a.keys_rev FROM agent_key k"
                        + " JOIN account a ON a.user_id = k.user_id WHERE k.credential_hash = ?",
                row -> new Place(Rows.userId(row), Rows.agentKeyId(row), row.getLong("keys_rev")),
                credentialHash);
    }

    private record Place(UserId user, AgentKeyId key, long keysRev) {}
}
