package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an account that a change reads and that are not always loaded, because they grow without bound.
 *
 * @param tally the key whose tally is loaded, and the key itself if it ended so long ago that it is not kept at hand
 * @param request the id of a request
 * @param replay an idempotency key; also loads the request made under it
 * @param pendingOf a key whose pending requests are all loaded
 * @param unfilled whether to load every accepted request that is not yet filled
 * @param calls whether to load today's calls of the key in {@code tally}, if it has a daily call cap
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

    /** A request and the tally of the key that made it. */
    public static LoadSpec of(Proposal proposal) {
        return new LoadSpec(proposal.agentKeyId(), proposal.id(), null, null, false, false);
    }

    /** The tally of a key and its calls of today. */
    public static LoadSpec call(AgentKeyId key) {
        return call(key, null);
    }

    /** The tally of a key, its calls of today and, if an idempotency key is given, the request made under it. */
    public static LoadSpec call(AgentKeyId key, @Nullable IdempotencyKey once) {
        return new LoadSpec(key, null, once, null, false, true);
    }

    /** The tally of a key and its pending requests. */
    public static LoadSpec pendingOf(AgentKeyId key) {
        return new LoadSpec(key, null, null, key, false, false);
    }

    /** The same, with the accepted requests that are not yet filled. */
    public LoadSpec withUnfilled() {
        return new LoadSpec(tally, request, replay, pendingOf, true, calls);
    }
}
