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
 * @param pendingOf a key whose pending requests are all loaded
 * @param underWay whether to load every request that was accepted and is not yet filled
 * @param calls whether the calls of the key of {@code tally} are counted; loads them if the key has a daily call cap
 */
public record LoadSpec(
        @Nullable AgentKeyId tally,
        @Nullable Long request,
        @Nullable IdempotencyKey replay,
        @Nullable AgentKeyId pendingOf,
        boolean unfilled,
        boolean calls) {
    public static final LoadSpec NOTHING = new LoadSpec(null, null, null, null, false, false);

    public static LoadSpec tally(AgentKeyId key) {
        return new LoadSpec(key, null, null, null, false, false);
    }

    /** One request and the tally of the key that made it. */
    public static LoadSpec of(Proposal proposal) {
        return new LoadSpec(proposal.agentKeyId(), proposal.id(), null, null, false, false);
    }

    /** What a key has used, its calls included. */
    public static LoadSpec call(AgentKeyId key) {
        return call(key, null);
    }

    /** The same and, when it names one, what the key created under an idempotency key. */
    public static LoadSpec call(AgentKeyId key, @Nullable IdempotencyKey once) {
        return new LoadSpec(key, null, once, null, false, true);
    }

    /** What a key has used, and its requests that are not resolved. */
    public static LoadSpec pendingOf(AgentKeyId key) {
        return new LoadSpec(key, null, null, key, false, false);
    }

    /** These, and what was accepted and is not yet filled. */
    public LoadSpec withUnfilled() {
        return new LoadSpec(tally, request, replay, pendingOf, true, calls);
    }
}
