package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.Table;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.RowBuffer;
import dev.agentpolicy.adapter.jdbc.sql.RowWriter;
import dev.agentpolicy.adapter.jdbc.sql.RowWriter.SealedEvent;
import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One account during one attempt. It is loaded from the cache or from the database, then {@linkplain #open opened} and
 * changed by the changes of the batch in their order. It collects the rows that these changes produce.
 *
 * <p>Used by one thread.
 */
final class AccountSession {
    /** The tables of a change that records nothing but decisions; the tallies follow from the decisions. */
    private static final Set<Table> OF_DECISIONS = Set.of(Table.TALLY, Table.POLICY_EVENT);
    /** No attempt records as many fills. */
    private static final int MAX_FILLS = 1_000_000;
    /** What the number of a request is multiplied with in its id. */
    private static final int REQUEST_NUMBER = 1_000_000;

    private final Map<IdempotencyKey, Replay> replays = new HashMap<>(0);
    private final Map<Long, ServiceRequest> requests = new HashMap<>(0);
    private final Map<AgentKeyId, Long> calls = new HashMap<>(0);
    /** The ids of recorded fills that are known, by custodian. */
    private final Map<String, Set<String>> fills = new HashMap<>(0);

    /** What the keys have used by the stored tallies and the events after them, each a call of its key. */
    private final Map<AgentKeyId, Tally> replayed;

    private final Set<AgentKeyId> called = new HashSet<>(2);
    private boolean isDecisionsOnly = true;
    private final Set<AgentKeyId> unsaved;
    private AccountRow before;
    private @Nullable IpsVersion ips;
    private @Nullable Portfolio portfolio;
    private Map<AgentKeyId, AgentKey> keys = Map.of();

    private final RowBuffer rows = new RowBuffer();
    private final List<AgentKey> changedKeys = new ArrayList<>(0);
    private @Nullable Account account;
    private ChainHead head;
    private long keysRev;
    private long requestsRev;
    private long connectionsRev;
    private long scheduledRev;
    private long nextFill;
    private @Nullable String signingKeyId;
    private @Nullable PolicyEvent firstEvent;
    private int events;
    private boolean isCheckpointed;

    /** An account as its snapshot row says; the journal's tail and the tallies are added afterwards. */
    AccountSession(AccountRow snapshot) {
        this(snapshot, Map.of(), Set.of());
    }

    /**
     * An account at the end of its journal.
     *
     * @param tallies what the keys have used, the journal's tail included
     * @param unsaved the keys whose stored tallies lack the decisions of the tail
     */
    AccountSession(AccountRow before, Map<AgentKeyId, Tally> tallies, Set<AgentKeyId> unsaved) {
        this.before = before;
        this.head = before.head();
        this.replayed = new HashMap<>(tallies);
        this.unsaved = new HashSet<>(unsaved);
    }

    // Loading

    /** The row at the end of the journal, before any change of this attempt. */
    AccountRow before() {
        return before;
    }

    void tally(AgentKeyId key, Tally stored) {
        replayed.put(key, stored);
    }

    /**
     * Adds a decision of the journal's tail.
     *
     * @param stored the stored tally of the key, used if no tally of it was loaded
     */
    void replay(ChainHead decision, AgentKeyId key, Tally stored) {
        before = before.grownTo(decision);
        unsaved.add(key);
        decided(key, decision.createdAt(), stored);
    }

    private void decided(AgentKeyId key, Instant at, Tally stored) {
        replayed.put(key, replayed.getOrDefault(key, stored).at(at).plusCall());
        called.add(key);
    }

    /** Takes the IPS in force from the cache; returns false if it has to be loaded. */
    boolean findIps(RevisionCache revisions) {
        ips = revisions.ips().find(userId(), before.ipsVersion());
        return ips != null || before.ipsVersion() == 0;
    }

    boolean findPortfolio(RevisionCache revisions) {
        portfolio = revisions.portfolios().find(userId(), before.portfolioRev());
        return portfolio != null || before.portfolioRev() == 0;
    }

    boolean findKeys(RevisionCache revisions) {
        Map<AgentKeyId, AgentKey> cached = revisions.keys().find(userId(), before.keysRev());
        keys = cached == null ? Map.of() : cached;
        return cached != null || before.keysRev() == 0;
    }

    void ips(IpsVersion loaded, RevisionCache revisions) {
        ips = revisions.ips().keep(userId(), before.ipsVersion(), loaded);
    }

    void portfolio(Portfolio loaded, RevisionCache revisions) {
        portfolio = revisions.portfolios().keep(userId(), before.portfolioRev(), loaded);
    }

    void keys(Map<AgentKeyId, AgentKey> loaded) {
        keys = loaded;
    }

    /** Adds a key that ended too long ago to be among the {@link AgentKey#MAX_KEPT}. */
    void key(AgentKey key) {
        Map<AgentKeyId, AgentKey> more = new HashMap<>(keys);
        more.put(key.id(), key);
        keys = Map.copyOf(more);
    }

    /** Whether a key may be missing because the account has more keys than are loaded. */
    boolean mayLack(AgentKeyId key) {
        return keys.size() >= AgentKey.MAX_KEPT && !keys.containsKey(key);
    }

    /** Whether a key has a daily call cap; keys must be loaded. */
    boolean isCapped(@Nullable AgentKeyId id) {
        AgentKey key = id == null ? null : keys.get(id);
        return key != null && key.policy().dailyCallCap() != null;
    }

    void calls(AgentKeyId key, long counted) {
        calls.put(key, counted);
    }

    void request(ServiceRequest request) {
        requests.put(request.id(), request);
    }

    void fill(String custodian, String fillId) {
        fills.computeIfAbsent(custodian, any -> new HashSet<>()).add(fillId);
    }

    void replay(Replay replay) {
        replays.put(replay.key(), replay);
    }

    /**
     * The time of the changes of this attempt: the clock's, but never before the last event of the chain, or before the
     * policy that waits was put.
     */
    Instant now(Instant clock) {
        Instant last = before.head().createdAt();
        return before.passkeys().protection().notBefore(clock.isBefore(last) ? last : clock);
    }

    /** Ends loading. */
    void open(Instant clock, LongSupplier requestIds) {
        head = before.head();
        keysRev = before.keysRev();
        requestsRev = before.requestsRev();
        connectionsRev = before.connectionsRev();
        scheduledRev = before.scheduledRev();
        signingKeyId = before.signingKeyId();
        // Later than the fills of all attempts before, since each that recorded any has grown the number of changes.
        nextFill = before.changes() * MAX_FILLS;
        account = new Account(
                userId(),
                now(clock),
                ips,
                portfolio,
                before.connections(),
                before.passkeys(),
                keys,
                before.decided(),
                before.written(),
                new HashMap<>(replayed),
                before.flows(),
                calls,
                requests,
                Set.of(),
                replays,
                requestIds);
    }

    /**
     * The id of the next request, made of its number and the user: changes of requests are counted, and every new request is
     * one. The last digits keep the ids of different users apart, but for chance.
     */
    long nextRequest() {
        return (requestsRev + 1) * REQUEST_NUMBER + Math.floorMod(userId().hashCode(), REQUEST_NUMBER);
    }

    // Changing

    UserId userId() {
        return before.userId();
    }

    private Account account() {
        return Objects.requireNonNull(account);
    }

    /** The account as the next change sees it. */
    Account account(LoadSpec needs) {
        // Two changes of one batch may sync two custodians, which number their fills independently.
        return needs.sync() == null
                ? account()
                : account().withFills(Set.copyOf(fills.getOrDefault(needs.sync().custodian(), Set.of())));
    }

    /** Records an outcome completely; if any of it cannot be turned into rows, nothing of it is recorded. */
    List<Receipt> record(Outcome<?> outcome, EventSealer sealer) {
        if (outcome.isEmpty()) {
            return List.of();
        }
        requireNewFills(outcome);
        Account present = account();
        EventSealer.SealedBatch sealed = sealer.seal(head, signingKeyId, outcome.events(), present.now());
        List<Receipt> receipts = receipts(sealed, outcome.events().size());
        Outcome<?> placed = outcome.withReceipts(receipts);
        RowBuffer produced = RowWriter.of(userId().value(), placed, sealed.events(), present.now(), nextFill);
        nextFill += placed.fills().size();
        account = present.after(placed);
        outcome.fills()
                .forEach(recorded ->
                        fill(recorded.fill().custodian(), recorded.fill().id()));
        rows.putAll(produced);
        extendChain(sealed);
        if (!outcome.keys().isEmpty()) {
            keysRev++;
            changedKeys.addAll(outcome.keys());
        }
        if (!outcome.requests().isEmpty()) {
            requestsRev++;
        }
        if (outcome.connections() != null) {
            connectionsRev++;
        }
        if (!Objects.equals(
                present.passkeys().protection().scheduled(),
                account().passkeys().protection().scheduled())) {
            scheduledRev++;
        }
        return receipts;
    }

    /** The database would refuse a fill that is stored, but not one that an earlier change of the batch records. */
    private void requireNewFills(Outcome<?> outcome) {
        for (RecordedFill recorded : outcome.fills()) {
            Fill fill = recorded.fill();
            if (fills.getOrDefault(fill.custodian(), Set.of()).contains(fill.id())) {
                throw new IllegalStateException("The fill " + fill.id() + " was recorded before.");
            }
        }
    }

    /** The receipts of the drafts; an event before them may introduce another signing key. */
    private static List<Receipt> receipts(EventSealer.SealedBatch sealed, int drafts) {
        List<SealedEvent> all = sealed.events();
        return all.subList(all.size() - drafts, all.size()).stream()
                .map(it -> new Receipt(it.event().seq(), it.event().hash()))
                .toList();
    }

    /** Continues the chain with the present signing key if another key must sign its next row. */
    void rollover(EventSealer sealer) {
        if (signingKeyId != null) {
            Instant now = account().now();
            EventSealer.SealedBatch sealed = sealer.seal(head, signingKeyId, List.of(), now);
            rows.putAll(RowWriter.of(userId().value(), Outcome.nothing(true), sealed.events(), now, nextFill));
            extendChain(sealed);
        }
    }

    /** Has the snapshot written, even if no change records anything. */
    void checkpoint() {
        isCheckpointed = true;
    }

    private void extendChain(EventSealer.SealedBatch sealed) {
        for (SealedEvent each : sealed.events()) {
            firstEvent = firstEvent == null ? each.event() : firstEvent;
            head = ChainHead.after(each.event());
            events++;
            UUID key = DecisionPayload.agentKeyId(each.draft());
            if (key == null) {
                isDecisionsOnly = false;
            } else {
                decided(new AgentKeyId(key), each.event().createdAt(), Tally.NONE);
            }
        }
        if (!sealed.events().isEmpty()) {
            signingKeyId = sealed.keyId();
        }
    }

    // Committing

    /**
     * Whether the attempt may append its events and leave the snapshot as it is: there are events, a reader who replays
     * them gets exactly this account, and the journal's tail does not become too long.
     */
    boolean isAppendable() {
        return events > 0
                && rows.isOnlyOf(OF_DECISIONS)
                && isDecisionsOnly
                && replayed.equals(account().tallies())
                && Objects.equals(signingKeyId, before.signingKeyId())
                && head.seq() - before.storedSeq() <= Dialect.MAX_TAIL;
    }

    /** Adds the events alone. */
    void appendTo(RowBuffer all) {
        all.putAll(rows, Table.POLICY_EVENT);
    }

    /** Adds all rows, and the snapshot if there are any or a checkpoint is due. */
    void writeTo(RowBuffer all) {
        if (isSnapshotWritten()) {
            UUID user = userId().value();
            unsaved.forEach(key -> RowWriter.tally(
                    all, user, key, Objects.requireNonNull(account().tallies().get(key))));
            all.putAll(rows);
            RowWriter.account(all, user, after(true));
        }
    }

    private boolean isSnapshotWritten() {
        return !rows.isEmpty() || isCheckpointed && !unsaved.isEmpty();
    }

    /**
     * Caches what was committed.
     *
     * @param isAppended whether the snapshot was left as it was
     */
    void cache(boolean isAppended, RevisionCache revisions, KeyCache keyCache, AccountCache accounts) {
        boolean isSaved = !isAppended && isSnapshotWritten();
        AccountRow row = after(isSaved);
        unsaved.addAll(called);
        accounts.put(before, row, account().tallies(), isSaved ? Set.of() : unsaved);
        IpsVersion newIps = account().ips();
        Portfolio newPortfolio = account().portfolio();
        if (newIps != null && row.ipsVersion() != before.ipsVersion()) {
            revisions.ips().keep(userId(), row.ipsVersion(), newIps);
        }
        if (newPortfolio != null && row.portfolioRev() != before.portfolioRev()) {
            revisions.portfolios().keep(userId(), row.portfolioRev(), newPortfolio);
        }
        if (!changedKeys.isEmpty()) {
            revisions.keys().keep(userId(), row.keysRev(), account().keys());
            changedKeys.forEach(keyCache::replace);
        }
    }

    private AccountRow after(boolean isSaved) {
        IpsVersion newIps = account().ips();
        Portfolio newPortfolio = account().portfolio();
        return new AccountRow(
                head,
                isSaved ? head.seq() : before.storedSeq(),
                newIps == null ? before.ipsVersion() : newIps.version(),
                newPortfolio == null ? before.portfolioRev() : newPortfolio.revision(),
                keysRev,
                requestsRev,
                connectionsRev,
                scheduledRev,
                signingKeyId,
                isSaved ? before.changes() + 1 : before.changes(),
                account().decided(),
                account().written(),
                account().flows(),
                account().connections(),
                account().passkeys());
    }

    Stream<AgentKey> changedKeys() {
        return changedKeys.stream();
    }

    /** The first event of this attempt, or null. */
    @Nullable
    PolicyEvent firstEvent() {
        return firstEvent;
    }

    /** How many events this attempt adds. */
    int events() {
        return events;
    }

    /** The end of the chain after this attempt. */
    ChainHead head() {
        return head;
    }
}
