package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an account that grow without bound, of which a change names the one it looks at.
 *
 * @param tally of which key
 * @param request by its id
 * @param replay by its key; loads the request it created too
 */
public record Needs(
        @Nullable AgentKeyId tally,
        @Nullable Long request,
        @Nullable IdempotencyKey replay) {
    public static final Needs NOTHING = new Needs(null, null, null);

    public static Needs tally(AgentKeyId key) {
        return new Needs(key, null, null);
    }
}
