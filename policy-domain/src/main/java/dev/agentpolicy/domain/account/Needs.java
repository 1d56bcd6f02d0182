package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an account that grow without bound, of which a change names the one it looks at.
 *
 * @param tally of which key; loads the key too, should it have ended too long ago to be at hand
 * @param request by its id
 * @param replay by its key; loads the request it created too
 * @param underWay whether to load every request that was accepted and is not yet filled
 */
public record Needs(
        @Nullable AgentKeyId tally,
        @Nullable Long request,
        @Nullable IdempotencyKey replay,
        boolean underWay) {
    public static final Needs NOTHING = new Needs(null, null, null, false);

    public static Needs tally(AgentKeyId key) {
        return new Needs(key, null, null, false);
    }

    /** One request and the tally of the key that made it. */
    public static Needs of(Proposal proposal) {
        return new Needs(proposal.agentKeyId(), proposal.id(), null, false);
    }

    /** What a key has used and, when it names one, what it created under an idempotency key. */
    public static Needs replay(AgentKeyId key, @Nullable IdempotencyKey once) {
        return new Needs(key, null, once, false);
    }

    /** These, and what was accepted and is not yet filled. */
    public Needs andUnderWay() {
        return new Needs(tally, request, replay, true);
    }
}
