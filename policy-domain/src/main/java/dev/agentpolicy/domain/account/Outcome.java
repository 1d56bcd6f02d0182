package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of a change and what it records. Everything is recorded in one commit, or nothing.
 *
 * @param <R> the result for the caller
 * @param answer makes the result from the receipts of the events, in the same order, once they are durable
 * @param events the new events, in order
 * @param ips the new IPS version; null for none
 * @param portfolio the new portfolio revision; null for none
 * @param connections the new connections to synced custodians; null for no change
 * @param passkeys the new passkeys of the user; null for no change
 * @param written what the user has written today; null for no change
 * @param flows what was proposed in the windows of the flow limits; null for no change
 * @param keys new or changed keys
 * @param tallies new tallies of keys
 * @param calls new counts of today's calls, for keys with a daily call cap
 * @param requests new or changed requests
 * @param fills new fills
 * @param replays new idempotency records
 */
public record Outcome<R>(
        Function<List<Receipt>, R> answer,
        List<EventDraft> events,
        @Nullable IpsVersion ips,
        @Nullable Portfolio portfolio,
        @Nullable CustodianConnections connections,
        @Nullable OwnerPasskeys passkeys,
        @Nullable OwnerWrites written,
        @Nullable FlowCounts flows,
        List<AgentKey> keys,
        Map<AgentKeyId, Tally> tallies,
        Map<AgentKeyId, Long> calls,
        List<ServiceRequest> requests,
        List<RecordedFill> fills,
        List<Replay> replays) {

    /** An outcome that records nothing. */
    public static <R> Outcome<R> nothing(R answer) {
        return new Recording().answer(receipts -> answer);
    }

    /** Whether there is nothing to record. */
    public boolean isEmpty() {
        return events.isEmpty()
                && ips == null
                && portfolio == null
                && connections == null
                && passkeys == null
                && written == null
                && flows == null
                && keys.isEmpty()
                && tallies.isEmpty()
                && calls.isEmpty()
                && requests.isEmpty()
                && fills.isEmpty()
                && replays.isEmpty();
    }

    /** The number of events that are decisions made for agents. */
    public long decisions() {
        return events.stream().filter(DecisionPayload::isOfAgent).count();
    }

    /**
     * The same outcome once its events are in the chain. New requests get the receipt of the last event, which a replay
     * returns and an acceptance refers to.
     */
    public Outcome<R> withReceipts(List<Receipt> receipts) {
        if (requests.isEmpty() || receipts.isEmpty()) {
            return this;
        }
        Receipt last = receipts.get(receipts.size() - 1);
        List<ServiceRequest> placed = requests.stream()
                .map(request -> request.<ServiceRequest>fold(
                        pending -> pending.isNew() ? pending.withReceipt(last) : pending, done -> done, no -> no))
                .toList();
        return with(answer, passkeys, placed);
    }

    /** The same outcome with another result. */
    public <S> Outcome<S> map(Function<R, S> mapping) {
        return with(answer.andThen(mapping), passkeys, requests);
    }

    /**
     * The same outcome, which also records passkeys.
     *
     * @throws IllegalStateException when it records passkeys already
     */
    public Outcome<R> withPasskeys(OwnerPasskeys next) {
        return with(answer, Recording.once(passkeys, next), requests);
    }

    private <S> Outcome<S> with(
            Function<List<Receipt>, S> given, @Nullable OwnerPasskeys recorded, List<ServiceRequest> placed) {
        return new Outcome<>(
                given,
                events,
                ips,
                portfolio,
                connections,
                recorded,
                written,
                flows,
                keys,
                tallies,
                calls,
                placed,
                fills,
                replays);
    }

    /** Builds an outcome. */
    public static final class Recording {
        private final List<EventDraft> events = new ArrayList<>(1);
        private @Nullable IpsVersion ips;
        private @Nullable Portfolio portfolio;
        private @Nullable CustodianConnections connections;
        private @Nullable OwnerPasskeys passkeys;
        private @Nullable OwnerWrites written;
        private @Nullable FlowCounts flows;
        private final List<AgentKey> keys = new ArrayList<>(0);
        private final Map<AgentKeyId, Tally> tallies = new HashMap<>(2);
        private final Map<AgentKeyId, Long> calls = new HashMap<>(0);
        private final List<ServiceRequest> requests = new ArrayList<>(0);
        private final List<RecordedFill> fills = new ArrayList<>(0);
        private final List<Replay> replays = new ArrayList<>(0);

        public Recording event(EventDraft draft) {
            events.add(draft);
            return this;
        }

        public Recording events(List<EventDraft> drafts) {
            events.addAll(drafts);
            return this;
        }

        public Recording ips(IpsVersion version) {
            ips = once(ips, version);
            return this;
        }

        public Recording portfolio(Portfolio revision) {
            portfolio = once(portfolio, revision);
            return this;
        }

        /** Records a fill, of which there was none with this id at its custodian before. */
        public Recording fill(RecordedFill fill) {
            fills.add(fill);
            return this;
        }

        public Recording connections(CustodianConnections next) {
            connections = once(connections, next);
            return this;
        }

        public Recording passkeys(OwnerPasskeys next) {
            passkeys = once(passkeys, next);
            return this;
        }

        public Recording written(OwnerWrites today) {
            written = once(written, today);
            return this;
        }

        /** Sets what was proposed in the windows of the flow limits. */
        public Recording flows(FlowCounts counts) {
            flows = once(flows, counts);
            return this;
        }

        public Recording key(AgentKey key) {
            keys.add(key);
            return this;
        }

        public Recording tally(AgentKeyId key, Tally tally) {
            tallies.put(key, tally);
            return this;
        }

        /** Sets the number of today's calls that count towards the daily call cap of a key. */
        public Recording calls(AgentKeyId key, long counted) {
            calls.put(key, counted);
            return this;
        }

        public Recording request(ServiceRequest request) {
            requests.add(request);
            return this;
        }

        public Recording replay(Replay replay) {
            replays.add(replay);
            return this;
        }

        /** The outcome, with a function that makes its result from the receipts of the events. */
        public <R> Outcome<R> answer(Function<List<Receipt>, R> answer) {
            return new Outcome<>(
                    answer,
                    events,
                    ips,
                    portfolio,
                    connections,
                    passkeys,
                    written,
                    flows,
                    keys,
                    tallies,
                    calls,
                    requests,
                    fills,
                    replays);
        }

        private static <T> T once(@Nullable T before, T next) {
            if (before != null) {
                throw new IllegalStateException("A change can record at most one new version.");
            }
            return next;
        }
    }
}
