package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AgentKeys;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds keys by one small row that names the present revision of their user's keys. */
final class JdbcAgentKeys implements AgentKeys {
    private final Reads reads;
    private final CurrentKeys keys;
    private final KnownKeys known;
    private final Together<String, Place> places = new Together<>(this::places);

    JdbcAgentKeys(Reads reads, CurrentKeys keys, KnownKeys known) {
        this.reads = reads;
        this.keys = keys;
        this.known = known;
    }

    @Override
    public Optional<AgentKey> find(String credentialHash) {
        Optional<AgentKey> found = places.ask(credentialHash)
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

    private Map<String, Place> places(Collection<String> credentialHashes) {
        return reads.connected(connection -> Reads.list(
                        connection,
                        "SELECT k.credential_hash, k.user_id, k.agent_key_id, a.keys_rev FROM agent_key k"
                                + " JOIN account a ON a.user_id = k.user_id WHERE k.credential_hash = ANY(?)",
                        row -> new Place(
                                row.getString("credential_hash"),
                                Rows.userId(row),
                                Rows.agentKeyId(row),
                                row.getLong("keys_rev")),
                        connection.createArrayOf("varchar", credentialHashes.toArray()))
                .stream()
                .collect(Collectors.toMap(Place::credentialHash, Function.identity())));
    }

    private record Place(String credentialHash, UserId user, AgentKeyId key, long keysRev) {}
}
