package dev.agentpolicy.adapter.jdbc.cache;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Reads the keys of a user at a revision, from the cache if they are there. */
public record CurrentKeys(Reads reads, RevisionCache revisions) {
    /** The order of {@link AgentKey#LAST_TO_END_FIRST}, for keys {@code k}. */
    public static final String LAST_TO_END_FIRST =
            " ORDER BY coalesce(k.revoked_at, k.expires_at) DESC NULLS FIRST, k.created_at DESC, k.agent_key_id DESC";

    /** The keys of a revision that was just read, or newer ones if they have changed since. */
    public Map<AgentKeyId, AgentKey> at(UserId user, long keysRev) {
        if (keysRev == 0) {
            return Map.of();
        }
        Map<AgentKeyId, AgentKey> known = revisions.keys().find(user, keysRev);
        return known != null ? known : reads.with(handle -> load(handle, user));
    }

    /** Reads keys and revision in one statement, so that they belong together. */
    private Map<AgentKeyId, AgentKey> load(Handle handle, UserId user) {
        Map<AgentKeyId, AgentKey> keys = new HashMap<>();
        long[] revision = new long[1];
        handle.createQuery("SELECT a.keys_rev, k.* FROM account a JOIN agent_key k ON k.user_id = a.user_id"
                        + " WHERE a.user_id = :user" + LAST_TO_END_FIRST + " LIMIT " + AgentKey.MAX_KEPT)
                .bind("user", user.value())
                .map((row, context) -> {
                    revision[0] = row.getLong("keys_rev");
                    return RowReader.key(row);
                })
                .forEach(key -> keys.put(key.id(), key));
        Map<AgentKeyId, AgentKey> whole = Map.copyOf(keys);
        revisions.keys().keep(user, revision[0], whole);
        return whole;
    }
}
