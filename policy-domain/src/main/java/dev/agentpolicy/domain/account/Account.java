package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One user's account as a {@link Change} sees it. No other change of the same user happens between what a change reads
 * here and what it records.
 *
 * @param userId the owner of the account
 * @param now the time of the change, in microseconds; never before the last event of the chain
 * @param ips the IPS in force; null when there is none
 * @param portfolio the current revision; null when the user never held anything
 * @param connections the connections to synced custodians
 * @param passkeys the user's passkeys
 * @param keys the user's keys, revoked ones too: at most {@link AgentKey#MAX_KEPT}, plus the one that the {@link LoadSpec}
 *     names
 * @param decided the decisions made for the user's agents on the last day that had any
 * @param written what the user wrote on the last day on which the user wrote anything
 * @param tallies what keys have used of their caps, for the keys the {@link LoadSpec} names
 * @param flows what was proposed and allowed in the windows of the flow limits
 * @param calls today's calls of the keys that have a daily call cap and that the {@link LoadSpec} names
 * @param requests the user's requests that the {@link LoadSpec} names
 * @param fills the ids of recorded fills of the custodian that the {@link LoadSpec} names, among those it names
 * @param replays the idempotency records that the {@link LoadSpec} names and that exist
 * @param requestIds draws ids for new requests, unique across users
 */
public record Account(
        UserId userId,
        Instant now,
        @Nullable IpsVersion ips,
        @Nullable Portfolio portfolio,
        CustodianConnections connections,
        OwnerPasskeys passkeys,
        Map<AgentKeyId, AgentKey> keys,
        DailyDecisions decided,
        OwnerWrites written,
        Map<AgentKeyId, Tally> tallies,
        FlowCounts flows,
        Map<AgentKeyId, Long> calls,
        Map<Long, ServiceRequest> requests,
        Set<String> fills,
        Map<IdempotencyKey, Replay> replays,
        LongSupplier requestIds) {

    public Optional<AgentKey> key(AgentKeyId id) {
        return Optional.ofNullable(keys.get(id));
    }

    /** What a key has used of its caps by today. */
    public Tally tally(AgentKeyId id) {
        return tallies.getOrDefault(id, Tally.NONE).at(now);
    }

    /**
     * The number of today's calls that count towards the daily call cap of a key. For a key without a cap, the number
     * of today's decisions.
     */
    public long calls(AgentKey key) {
        if (key.policy().dailyCallCap() == null) {
            return tally(key.id()).calls();
        }
        Long counted = calls.get(key.id());
        if (counted == null) {
            throw new IllegalStateException(
                    "The calls of a key with a daily call cap were not loaded; name them in the LoadSpec.");
        }
        return counted;
    }

    /** The number of decisions made for the user's agents today. */
    public long decisionsToday() {
        return decided.at(now).count();
    }

    /** What the user wrote today. */
    public OwnerWrites writtenToday() {
        return written.at(now);
    }

    public Optional<ServiceRequest> request(long id) {
        return Optional.ofNullable(requests.get(id));
    }

    /**
     * The requests of a key that wait for the user's answer, oldest first. Only complete if the {@link LoadSpec} asked
     * for them. Accepted requests are not among them.
     */
    public List<Pending> waitingRequests(AgentKeyId key) {
        return pending()
                .filter(pending -> !pending.isAccepted())
                .filter(pending -> pending.proposal().agentKeyId().equals(key))
                .sorted(Comparator.comparing(Pending::id))
                .toList();
    }

    /**
     * The tally of a proposal's key without that proposal. It keeps the day on which it was last written: only an event
     * moves a tally on to a new day, because the next change may come from a node whose clock has not reached that day.
     */
    public Tally tallyWithout(Proposal proposal) {
        Tally tally = tallies.getOrDefault(proposal.agentKeyId(), Tally.NONE);
        return tally.minusPending(proposal.trade());
    }

    /**
     * The requests whose order is under way at a custodian, oldest first. Only complete if the {@link LoadSpec} asked for
     * accepted requests.
     */
    public List<Pending> underWay(String custodian) {
        return underWay().stream()
                .filter(pending -> {
                    OrderAttempt order = pending.order();
                    return order != null && order.custodian().equals(custodian);
                })
                .toList();
    }

    /** The requests whose order is under way at any custodian, as above. */
    public List<Pending> underWay() {
        return pending()
                .filter(Pending::isAccepted)
                .sorted(Comparator.comparing(Pending::id))
                .toList();
    }

    private Stream<Pending> pending() {
        return requests.values().stream()
                .flatMap(request -> request.fold(Stream::of, done -> Stream.<Pending>empty(), no -> Stream.empty()));
    }

    /** The proposal made earlier under an idempotency key; empty when there is none or its window is over. */
    public Optional<Replay> replay(IdempotencyKey key) {
        return Optional.ofNullable(replays.get(key)).filter(replay -> !replay.isOver(now));
    }

    /** The account with what a change recorded, for the next change of the same batch. */
    public Account after(Outcome<?> outcome) {
        if (outcome.isEmpty()) {
            return this;
        }
        return after(outcome, fillsAfter(outcome));
    }

    /** The same account with other known fills: those of the custodian that the next change syncs. */
    public Account withFills(Set<String> known) {
        return after(Outcome.nothing(known), known);
    }

    /** The same account with other passkeys. */
    public Account withPasskeys(OwnerPasskeys next) {
        return after(new Outcome.Recording().passkeys(next).answer(receipts -> next));
    }

    private Account after(Outcome<?> outcome, Set<String> knownFills) {
        // Only a decision begins a new day, because the clock of the next change's node may not have reached it.
        long decisions = outcome.decisions();
        return new Account(
                userId,
                now,
                outcome.ips() == null ? ips : outcome.ips(),
                outcome.portfolio() == null ? portfolio : outcome.portfolio(),
                outcome.connections() == null ? connections : outcome.connections(),
                outcome.passkeys() == null ? passkeys : outcome.passkeys(),
                outcome.keys().isEmpty() ? keys : AgentKey.kept(with(keys, outcome.keys(), AgentKey::id)),
                decisions == 0 ? decided : decided.at(now).plus(decisions),
                outcome.written() == null ? written : outcome.written(),
                with(tallies, outcome.tallies()),
                outcome.flows() == null ? flows : outcome.flows(),
                with(calls, outcome.calls()),
                with(requests, outcome.requests(), ServiceRequest::id),
                knownFills,
                with(replays, outcome.replays(), Replay::key),
                requestIds);
    }

    private Set<String> fillsAfter(Outcome<?> outcome) {
        if (outcome.fills().isEmpty()) {
            return fills;
        }
        Set<String> after = new HashSet<>(fills);
        outcome.fills().forEach(recorded -> after.add(recorded.fill().id()));
        return after;
    }

    private static <K, V> Map<K, V> with(Map<K, V> before, List<V> recorded, Function<V, K> key) {
        if (recorded.isEmpty()) {
            return before;
        }
        Map<K, V> after = new HashMap<>(before);
        recorded.forEach(value -> after.put(key.apply(value), value));
        return after;
    }

    private static <K, V> Map<K, V> with(Map<K, V> before, Map<K, V> recorded) {
        if (recorded.isEmpty()) {
            return before;
        }
        Map<K, V> after = new HashMap<>(before);
        after.putAll(recorded);
        return after;
    }
}
