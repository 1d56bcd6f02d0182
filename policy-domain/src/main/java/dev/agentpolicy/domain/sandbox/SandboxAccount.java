package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.OwnerWrites;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/** The account of one test key, in memory. Keeps only the latest decisions and requests. Thread-safe. */
final class SandboxAccount {
    private static final int MAX_DECISIONS = 100;
    private static final int MAX_REQUESTS = 200;
    private static final int BYTES_OF_AN_ACCOUNT = 2_000;
    private static final int BYTES_OF_A_REQUEST = 5_000;
    private static final int BYTES_OF_A_ROW_WITHOUT_PAYLOAD = 1_500;

    private final UserId id;
    private final Map<AgentKeyId, Tally> tallies = limited(1);
    private final Map<AgentKeyId, DayOfCalls> calls = limited(1);
    private final Map<Long, ServiceRequest> requests = limited(MAX_REQUESTS);
    private final Deque<PolicyEvent> decisions = new ArrayDeque<>();
    private final ChainHead beginning;
    private final SandboxReplays replays;

    /** @param before the head that the first decision follows */
    SandboxAccount(UserId id, ChainHead before, SandboxReplays replays) {
        this.id = id;
        this.beginning = new ChainHead(id, before.seq(), before.hash(), before.createdAt());
        this.replays = replays;
    }

    /** The calls of one day that count towards the daily call cap of a key. */
    private record DayOfCalls(LocalDate day, long count) {}

    /** Makes the row that follows a head. */
    interface Sealer {
        PolicyEvent seal(ChainHead head, EventDraft draft, Instant now);
    }

    synchronized <R> R change(Change<R> change, Instant clock, LongSupplier requestIds, Sealer sealer) {
        ChainHead head = head();
        Instant truncated = Instants.truncated(clock);
        Instant now = truncated.isBefore(head.createdAt()) ? head.createdAt() : truncated;
        Account account = new Account(
                id,
                now,
                FixedPolicy.IPS,
                FixedPolicy.PORTFOLIO,
                CustodianConnections.NONE,
                OwnerPasskeys.NONE,
                Map.of(),
                DailyDecisions.NONE,
                OwnerWrites.NONE,
                Collections.unmodifiableMap(tallies),
                FlowCounts.NONE,
                calls(change.needs(), day(now)),
                Collections.unmodifiableMap(requests),
                Set.of(),
                replays.of(change.needs().replay()),
                requestIds);
        Outcome<R> outcome = change.apply(account);
        List<Receipt> receipts = new ArrayList<>();
        for (EventDraft draft : outcome.events()) {
            PolicyEvent event = sealer.seal(head(), draft, account.now());
            remember(event);
            receipts.add(new Receipt(event.seq(), event.hash()));
        }
        tallies.putAll(outcome.tallies());
        outcome.calls().forEach((key, count) -> calls.put(key, new DayOfCalls(day(account.now()), count)));
        outcome.requests().forEach(request -> requests.put(request.id(), request));
        outcome.replays().forEach(replay -> replays.keep(replay, account.now()));
        return outcome.answer().apply(receipts);
    }

    /** An upper estimate of the heap it uses, in bytes. */
    synchronized long bytes() {
        long bytes = BYTES_OF_AN_ACCOUNT + (long) BYTES_OF_A_REQUEST * requests.size();
        for (PolicyEvent decision : decisions) {
            String payload = decision.payload();
            bytes += BYTES_OF_A_ROW_WITHOUT_PAYLOAD + (payload == null ? 0 : 2L * payload.length());
        }
        return bytes;
    }

    /** Counts a call unless the cap is reached. Returns the calls of the day, or empty when the cap is reached. */
    synchronized OptionalLong count(AgentKeyId key, LocalDate day, int cap) {
        long before = counted(key, day);
        if (before >= cap) {
            return OptionalLong.empty();
        }
        calls.put(key, new DayOfCalls(day, before + 1));
        return OptionalLong.of(before + 1);
    }

    /** The calls that count towards the cap of a key on a day. Only the latest day is kept. */
    synchronized long counted(AgentKeyId key, LocalDate day) {
        DayOfCalls known = calls.get(key);
        return known == null || day.isAfter(known.day) ? 0 : known.count;
    }

    private Map<AgentKeyId, Long> calls(LoadSpec needs, LocalDate today) {
        AgentKeyId key = needs.calls() ? needs.tally() : null;
        return key == null ? Map.of() : Map.of(key, counted(key, today));
    }

    private static LocalDate day(Instant now) {
        return LocalDate.ofInstant(now, ZoneOffset.UTC);
    }

    synchronized Map<AgentKeyId, Tally> tallies() {
        return Map.copyOf(tallies);
    }

    synchronized Map<Long, ServiceRequest> requests() {
        return Map.copyOf(requests);
    }

    /** The decisions that are kept, newest first. */
    synchronized List<PolicyEvent> decisions() {
        return List.copyOf(decisions);
    }

    private ChainHead head() {
        PolicyEvent last = decisions.peekFirst();
        return last == null ? beginning : ChainHead.after(last);
    }

    private void remember(PolicyEvent event) {
        decisions.addFirst(event);
        if (decisions.size() > MAX_DECISIONS) {
            decisions.removeLast();
        }
    }

    private static <K, V> Map<K, V> limited(int maxSize) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > maxSize;
            }
        };
    }
}
