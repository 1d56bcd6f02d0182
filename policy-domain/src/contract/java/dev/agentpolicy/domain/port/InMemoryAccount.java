package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.OwnerWrites;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One user's account and chain in memory. Thread-safe: a change holds the monitor. */
final class InMemoryAccount {
    private static final String SALT = "AAECAwQFBgcICQoLDA0ODw";

    private final List<PolicyEvent> events = new ArrayList<>();
    private final List<LoggedDecision> decisions = new ArrayList<>();
    private final List<Erasure> erasures = new ArrayList<>();
    private final List<IpsVersion> ipsVersions = new ArrayList<>();
    private final List<Portfolio> portfolios = new ArrayList<>();
    private final Map<AgentKeyId, Tally> tallies = new HashMap<>();
    private final Map<List<Object>, Long> calls = new HashMap<>();
    private final Map<IdempotencyKey, Replay> replays = new HashMap<>();
    private final Map<List<String>, RecordedFill> fills = new LinkedHashMap<>();
    private final InMemoryRequestTable requests = new InMemoryRequestTable();
    private final UserId user;
    private Map<AgentKeyId, AgentKey> keys = Map.of();
    private ChainHead head;
    private DailyDecisions decided = DailyDecisions.NONE;
    private CustodianConnections connections = CustodianConnections.NONE;
    private OwnerPasskeys passkeys = OwnerPasskeys.NONE;
    private OwnerWrites written = OwnerWrites.NONE;
    private FlowCounts flows = FlowCounts.NONE;
    private AccountVersions versions = AccountVersions.NONE;

    InMemoryAccount(UserId user) {
        this.user = user;
        this.head = ChainHead.genesis(user);
    }

    synchronized <R> R change(Change<R> change, Instant clock, EventSigner signer, LongSupplier requestIds) {
        Instant truncated = Instants.truncated(clock);
        Instant now =
                passkeys.protection().notBefore(truncated.isBefore(head.createdAt()) ? head.createdAt() : truncated);
        Outcome<R> outcome = change.apply(asNeeded(now, change.needs(), requestIds));
        List<PolicyEvent> sealed = seal(outcome.events(), now, signer);
        List<Receipt> receipts = sealed.stream()
                .map(event -> new Receipt(event.seq(), event.hash()))
                .toList();
        keep(outcome.withReceipts(receipts), sealed, now);
        return outcome.answer().apply(receipts);
    }

    UserId user() {
        return user;
    }

    synchronized boolean hasErasablePayload() {
        return events.stream().anyMatch(row -> row.payload() != null && Erasure.Extent.ACCOUNT.mayErase(row.kind()));
    }

    synchronized void removeRecords() {
        ipsVersions.clear();
        portfolios.clear();
        tallies.clear();
        calls.clear();
        replays.clear();
        fills.clear();
        requests.clear();
        passkeys = OwnerPasskeys.NONE;
        flows = FlowCounts.NONE;
        keys = Map.of();
        connections = CustodianConnections.NONE;
    }

    synchronized AccountView view() {
        return new AccountView(
                head, last(ipsVersions), last(portfolios), connections, passkeys, flows, AgentKey.kept(keys));
    }

    synchronized AccountVersions versions() {
        return versions;
    }

    synchronized Tally tally(AgentKeyId key) {
        return tallies.getOrDefault(key, Tally.NONE);
    }

    synchronized OptionalLong count(AgentKeyId key, LocalDate day, int cap) {
        long before = counted(key, day);
        if (before >= cap) {
            return OptionalLong.empty();
        }
        calls.put(List.of(key, day), before + 1);
        return OptionalLong.of(before + 1);
    }

    synchronized long counted(AgentKeyId key, LocalDate day) {
        return calls.getOrDefault(List.of(key, day), 0L);
    }

    synchronized Optional<ServiceRequest> request(long id) {
        return Optional.ofNullable(requests.get(id));
    }

    synchronized List<ServiceRequest> requests() {
        return requests.all();
    }

    synchronized List<Pending> pending() {
        return List.copyOf(requests.pending());
    }

    synchronized List<RecordedFill> fills() {
        return List.copyOf(fills.values());
    }

    synchronized List<PolicyEvent> events() {
        return List.copyOf(events);
    }

    synchronized List<PolicyEvent> rows(long after) {
        return List.copyOf(events.subList((int) Math.min(after, events.size()), events.size()));
    }

    synchronized List<IpsVersion> ipsVersions() {
        return List.copyOf(ipsVersions);
    }

    synchronized List<Portfolio> portfolios() {
        return List.copyOf(portfolios);
    }

    synchronized List<Erasure> erasures() {
        return List.copyOf(erasures);
    }

    synchronized boolean isErased(long seq) {
        return events.get((int) seq - 1).payload() == null;
    }

    /** All decisions as they were made, newest first. For those erased since, see {@link #isErased}. */
    synchronized List<LoggedDecision> decisions() {
        List<LoggedDecision> newestFirst = new ArrayList<>(decisions);
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    synchronized int erase(Erasure entry) {
        boolean isOfThisChain = entry.seq() <= events.size()
                && events.get((int) entry.seq() - 1).hash().equals(entry.hash());
        int erased = 0;
        for (int i = 0; isOfThisChain && i < events.size(); i++) {
            PolicyEvent event = events.get(i);
            if (event.payload() != null && entry.covers(event)) {
                events.set(i, without(event));
                erased++;
            }
        }
        if (erased > 0) {
            erasures.add(entry);
        }
        return erased;
    }

    synchronized void replace(Erasure entry) {
        erasures.replaceAll(old -> old.scope() == entry.scope() && old.hash().equals(entry.hash()) ? entry : old);
    }

    private static PolicyEvent without(PolicyEvent row) {
        return new PolicyEvent(
                row.userId(),
                row.seq(),
                row.eventId(),
                row.kind(),
                row.createdAt(),
                null,
                row.payloadHash(),
                row.prevHash(),
                row.signingKeyId(),
                row.hash(),
                row.signature());
    }

    private List<PolicyEvent> seal(List<EventDraft> drafts, Instant now, EventSigner signer) {
        List<PolicyEvent> sealed = new ArrayList<>();
        ChainHead next = head;
        for (EventDraft draft : drafts) {
            PolicyEvent event =
                    EventChain.next(next, draft, UUID.randomUUID(), SALT, now, signer.keyId(), signer::sign);
            sealed.add(event);
            next = ChainHead.after(event);
        }
        return sealed;
    }

    private static List<String> name(RecordedFill recorded) {
        return List.of(recorded.fill().custodian(), recorded.fill().id());
    }

    private void keep(Outcome<?> outcome, List<PolicyEvent> sealed, Instant now) {
        if (outcome.fills().stream().anyMatch(recorded -> fills.containsKey(name(recorded)))) {
            throw new IllegalStateException("A fill was recorded before.");
        }
        events.addAll(sealed);
        sealed.stream()
                .filter(event -> event.kind() == EventKind.GUARDRAIL_DECISION)
                .flatMap(event -> LoggedDecision.of(event).stream())
                .forEach(decisions::add);
        head = sealed.isEmpty() ? head : ChainHead.after(sealed.get(sealed.size() - 1));
        versions = after(outcome);
        if (outcome.ips() != null) {
            ipsVersions.add(outcome.ips());
        }
        if (outcome.portfolio() != null) {
            portfolios.add(outcome.portfolio());
        }
        if (!outcome.keys().isEmpty()) {
            Map<AgentKeyId, AgentKey> after = new HashMap<>(keys);
            outcome.keys().forEach(key -> after.put(key.id(), key));
            keys = Collections.unmodifiableMap(after);
        }
        tallies.putAll(outcome.tallies());
        outcome.calls().forEach((key, count) -> calls.put(List.of(key, day(now)), count));
        if (outcome.decisions() > 0) {
            decided = decided.at(now).plus(outcome.decisions());
        }
        if (outcome.passkeys() != null) {
            passkeys = outcome.passkeys();
        }
        if (outcome.written() != null) {
            written = outcome.written();
        }
        if (outcome.flows() != null) {
            flows = outcome.flows();
        }
        if (outcome.connections() != null) {
            connections = outcome.connections();
        }
        outcome.requests().forEach(requests::put);
        outcome.fills().forEach(recorded -> fills.put(name(recorded), recorded));
        outcome.replays().forEach(replay -> replays.put(replay.key(), replay));
    }

    private AccountVersions after(Outcome<?> outcome) {
        int portfolio = (outcome.portfolio() == null ? 0 : 1) + (outcome.connections() == null ? 0 : 1);
        boolean isRescheduled = outcome.passkeys() != null
                && !Objects.equals(
                        outcome.passkeys().protection().scheduled(),
                        passkeys.protection().scheduled());
        return new AccountVersions(
                versions.requests() + (outcome.requests().isEmpty() ? 0 : 1),
                versions.portfolio() + portfolio,
                versions.policy() + (outcome.ips() == null ? 0 : 1) + (isRescheduled ? 1 : 0),
                versions.keys() + (outcome.keys().isEmpty() ? 0 : 1),
                0);
    }

    /**
     * Leaves out the parts that the load spec does not name, as a database does, so that every test notices an
     * incomplete load spec.
     */
    private Account asNeeded(Instant now, LoadSpec needs, LongSupplier requestIds) {
        Map<Long, ServiceRequest> needed = new HashMap<>();
        Map<IdempotencyKey, Replay> replay = only(needs.replay(), replays.get(needs.replay()));
        if (needs.request() != null) {
            need(needed, needs.request());
        }
        if (needs.unfilled()) {
            requests.pending().stream()
                    .filter(Pending::isAccepted)
                    .forEach(request -> needed.put(request.id(), request));
        }
        if (needs.unsigned() && passkeys.countsUnsigned()) {
            Instant since = now.minus(OwnerPasskeys.WITHIN);
            requests.all().stream()
                    .filter(request ->
                            request.unsignedAt() != null && request.unsignedAt().isAfter(since))
                    .forEach(request -> needed.put(request.id(), request));
        }
        if (needs.pendingOf() != null) {
            requests.pending().stream()
                    .filter(request -> request.proposal().agentKeyId().equals(needs.pendingOf()))
                    .forEach(request -> needed.put(request.id(), request));
        }
        replay.values().forEach(it -> need(needed, it.requestId()));
        LoadSpec.SyncLoad sync = needs.sync();
        Map<AgentKeyId, Tally> tally = new HashMap<>(only(needs.tally(), tallies.get(needs.tally())));
        Set<String> recorded = new HashSet<>();
        if (sync != null) {
            sync.requests().forEach(id -> need(needed, id));
            sync.tallies().forEach(key -> tally.putAll(only(key, tallies.get(key))));
            sync.fills().stream()
                    .filter(id -> fills.containsKey(List.of(sync.custodian(), id)))
                    .forEach(recorded::add);
        }
        return new Account(
                user,
                now,
                last(ipsVersions),
                last(portfolios),
                connections,
                passkeys,
                keys(needs.tally()),
                decided,
                written,
                tally,
                flows,
                needs.calls() ? calls(needs.tally(), day(now)) : Map.of(),
                needed,
                recorded,
                replay,
                requestIds);
    }

    /** The keys that are always loaded, and the one that the load spec names. */
    private Map<AgentKeyId, AgentKey> keys(@Nullable AgentKeyId needed) {
        Map<AgentKeyId, AgentKey> all = new HashMap<>(AgentKey.kept(keys));
        if (needed != null) {
            all.putAll(only(needed, keys.get(needed)));
        }
        return Map.copyOf(all);
    }

    private Map<AgentKeyId, Long> calls(AgentKeyId id, LocalDate today) {
        AgentKey key = keys.get(id);
        boolean isCapped = key != null && key.policy().dailyCallCap() != null;
        return isCapped ? Map.of(id, counted(id, today)) : Map.of();
    }

    private static LocalDate day(Instant now) {
        return LocalDate.ofInstant(now, ZoneOffset.UTC);
    }

    private void need(Map<Long, ServiceRequest> needed, long id) {
        ServiceRequest request = requests.get(id);
        if (request != null) {
            needed.put(id, request);
        }
    }

    private static <K, V> Map<K, V> only(@Nullable K key, @Nullable V value) {
        return key == null || value == null ? Map.of() : Map.of(key, value);
    }

    private static <T> @Nullable T last(List<T> versions) {
        return versions.isEmpty() ? null : versions.get(versions.size() - 1);
    }
}
