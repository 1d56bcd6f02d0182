package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything one user's decisions depend on, while nobody else changes it.
 *
 * @param userId whose
 * @param now the moment of the change, in microseconds; never before the last event of the chain
 * @param ips the statement in force, null when there is none
 * @param portfolio the present revision, null when nothing was ever held
 * @param keys of the user, revoked ones too: those of {@link AgentKey#MAX_KEPT}, and the one that {@link LoadSpec} named
 * @param decided how many decisions agents were given on the last day there were any
 * @param tallies what keys have used; of those keys that {@link LoadSpec} named
 * @param calls today's calls of those keys with a daily call cap that {@link LoadSpec} named
 * @param requests those that {@link LoadSpec} named, as far as they are this user's
 * @param replays those that {@link LoadSpec} named, as far as they exist
 * @param requestIds draws ids for new requests, unique across users
 */
public record Account(
        UserId userId,
        Instant now,
        @Nullable IpsVersion ips,
        @Nullable Portfolio portfolio,
        Map<AgentKeyId, AgentKey> keys,
        DailyDecisions decided,
        Map<AgentKeyId, Tally> tallies,
        Map<AgentKeyId, Long> calls,
        Map<Long, ServiceRequest> requests,
        Map<IdempotencyKey, Replay> replays,
        LongSupplier requestIds) {

    public Optional<AgentKey> key(AgentKeyId id) {
        return Optional.ofNullable(keys.get(id));
    }

    /** What a key has used, as it stands today. */
    public Tally tally(AgentKeyId id) {
        return tallies.getOrDefault(id, Tally.NONE).at(now);
    }

    /** What counts for the daily call cap of a key today; of a key without one, its decisions of today. */
    public long calls(AgentKey key) {
        if (key.policy().dailyCallCap() == null) {
            return tally(key.id()).calls();
        }
        Long counted = calls.get(key.id());
        if (counted == null) {
            throw new IllegalStateException("The calls of a key with a cap were not loaded; a change must need them.");
        }
        return counted;
    }

    /** How many decisions agents were given today. */
    public long decisionsToday() {
        return decided.at(now).count();
    }

    public Optional<ServiceRequest> request(long id) {
        return Optional.ofNullable(requests.get(id));
    }

    /** The requests of a key that wait for their user, oldest first, when they were needed; accepted ones wait no more. */
    public List<Pending> waitingRequests(AgentKeyId key) {
        return pending()
                .filter(pending -> !pending.isAccepted())
                .filter(pending -> pending.proposal().agentKeyId().equals(key))
                .sorted(Comparator.comparing(Pending::id))
                .toList();
    }

    /**
     * The tally of a proposal's key without that proposal, for the day the tally was written. Only a row of the chain
     * begins a new day: without one, the next change may come from a node whose clock is still in the old day.
     */
    public Tally tallyWithout(Proposal proposal) {
        Tally tally = tallies.getOrDefault(proposal.agentKeyId(), Tally.NONE);
        return tally.minusPending(proposal.trade());
    }

    /** The trades of other requests that were accepted and are not yet filled, oldest first, when they were needed. */
    public List<Trade> unfilledTradesExcept(long id) {
        return pending()
                .filter(pending -> pending.id() != id)
                .filter(Pending::isAccepted)
                .sorted(Comparator.comparing(Pending::id))
                .map(pending -> pending.proposal().trade())
                .toList();
    }

    private Stream<Pending> pending() {
        return requests.values().stream()
                .flatMap(request -> request.fold(Stream::of, done -> Stream.<Pending>empty(), no -> Stream.empty()));
    }

    /** What a key created, if that is not yet forgotten. */
    public Optional<Replay> replay(IdempotencyKey key) {
        return Optional.ofNullable(replays.get(key)).filter(replay -> !replay.isOver(now));
    }

    /** The account after what a change recorded, for the next change of the same batch. */
    public Account after(Outcome<?> outcome) {
        return outcome.isEmpty() ? this : Succession.of(this, outcome);
    }
}
