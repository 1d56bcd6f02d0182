package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
 * @param unsigned whether to load the requests that were accepted without a passkey within the last day, if the user
 *     demands one above an amount
 * @param sync what a sync of a custodian needs, or an answer to several requests; null for other changes
 */
public record LoadSpec(
        @Nullable AgentKeyId tally,
        @Nullable Long request,
        @Nullable IdempotencyKey replay,
        @Nullable AgentKeyId pendingOf,
        boolean unfilled,
        boolean calls,
        boolean unsigned,
        @Nullable SyncLoad sync) {
    public static final LoadSpec NOTHING = new LoadSpec(null, null, null, null, false, false, false, null);

    /**
     * What a sync of a custodian needs beside the accepted requests, or an answer to several requests, which names no fills.
     *
     * @param custodian id of the custodian; empty for an answer
     * @param fills the fills that it reported; those that are recorded are loaded
     * @param requests the requests that the fills belong to
     * @param tallies the keys of these requests and of the accepted ones
     */
    public record SyncLoad(String custodian, Set<String> fills, Set<Long> requests, Set<AgentKeyId> tallies) {
        public SyncLoad {
            fills = Set.copyOf(fills);
            requests = Set.copyOf(requests);
            tallies = Set.copyOf(tallies);
        }
    }

    /** Every accepted request that is not yet filled, and what a sync of a custodian needs beside them. */
    public static LoadSpec sync(SyncLoad sync) {
        return new LoadSpec(null, null, null, null, true, false, false, sync);
    }

    /** Every accepted request that is not yet filled. */
    public static LoadSpec accepted() {
        return new LoadSpec(null, null, null, null, true, false, false, null);
    }

    public static LoadSpec tally(AgentKeyId key) {
        return new LoadSpec(key, null, null, null, false, false, false, null);
    }

    /** A request. */
    public static LoadSpec request(long id) {
        return new LoadSpec(null, id, null, null, false, false, false, null);
    }

    /** A request and the tally of the key that made it. */
    public static LoadSpec of(Proposal proposal) {
        return new LoadSpec(proposal.agentKeyId(), proposal.id(), null, null, false, false, false, null);
    }

    /** As {@link #of}, and what was accepted without a passkey within the last day. */
    public static LoadSpec ofAnswer(Proposal proposal) {
        return new LoadSpec(proposal.agentKeyId(), proposal.id(), null, null, false, false, true, null);
    }

    /** As {@link #ofAnswer}, of several proposals. */
    public static LoadSpec ofAnswers(List<Proposal> proposals) {
        Set<Long> requests = proposals.stream().map(Proposal::id).collect(Collectors.toSet());
        Set<AgentKeyId> keys = proposals.stream().map(Proposal::agentKeyId).collect(Collectors.toSet());
        SyncLoad several = new SyncLoad("", Set.of(), requests, keys);
        return new LoadSpec(null, null, null, null, false, false, true, several);
    }

    /** As {@link #of}, and every accepted request that is not yet filled. */
    public static LoadSpec ofAccepted(Proposal proposal) {
        return new LoadSpec(proposal.agentKeyId(), proposal.id(), null, null, true, false, false, null);
    }

    /** The tally of a key and its calls of today. */
    public static LoadSpec call(AgentKeyId key) {
        return call(key, null);
    }

    /** The tally of a key, its calls of today and, if an idempotency key is given, the request made under it. */
    public static LoadSpec call(AgentKeyId key, @Nullable IdempotencyKey once) {
        return new LoadSpec(key, null, once, null, false, true, false, null);
    }

    /** The tally of a key and its pending requests. */
    public static LoadSpec pendingOf(AgentKeyId key) {
        return new LoadSpec(key, null, null, key, false, false, false, null);
    }
}
