package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Filters;
import dev.agentpolicy.adapter.jdbc.sql.Table;
import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An account whose row is locked, or remembered, with what the changes of a batch have made of it so far. */
final class OpenAccount {
    /** Of which tables all that is written follows from the events. */
    private static final Set<Table> TAIL = Set.of(Table.TALLY, Table.POLICY_EVENT);

    private final AccountRow locked;
    private final Writes writes = new Writes();
    private final List<AgentKey> changedKeys = new ArrayList<>(0);
    private final Set<AgentKeyId> unsaved;
    private final TallyReplay told;
    private Account account;
    private ChainHead head;
    private long keysRev;
    private @Nullable String keyId;
    private @Nullable PolicyEvent first;
    private int events;
    private boolean isTrailing;

    /**
     * An account.
     *
     * @param unsaved keys whose stored tallies do not tell of their last calls
     */
    OpenAccount(AccountRow locked, Set<AgentKeyId> unsaved, Account account) {
        this.locked = locked;
        this.unsaved = unsaved;
        this.told = new TallyReplay(account.tallies());
        this.account = account;
        this.head = locked.head();
        this.keysRev = locked.keysRev();
        this.keyId = locked.signingKeyId();
    }

    /** What the next change sees. */
    Account account() {
        return account;
    }

    /** Adds an outcome, all of it or, when anything of it cannot be written, nothing. */
    List<Receipt> add(Outcome<?> outcome, EventSealer sealing) {
        if (outcome.isEmpty()) {
            return List.of();
        }
        EventSealer.Sealed sealed = sealing.seal(head, keyId, outcome.events(), account.now());
        List<Receipt> receipts = receipts(sealed, outcome.events().size());
        Outcome<?> placed = outcome.withReceipts(receipts);
        Writes rows = RowMapper.of(account.userId().value(), placed, sealed.rows(), account.now());
        Account after = account.after(placed);
        writes.putAll(rows);
        account = after;
        grow(sealed);
        if (!outcome.keys().isEmpty()) {
            keysRev++;
            changedKeys.addAll(outcome.keys());
        }
        return receipts;
    }

    /** Those of the last rows. */
    private static List<Receipt> receipts(EventSealer.Sealed sealed, int drafts) {
        List<EventSealer.Row> rows = sealed.rows();
        return rows.subList(rows.size() - drafts, rows.size()).stream()
                .map(row -> new Receipt(row.event().seq(), row.event().hash()))
                .toList();
    }

    /** Leads the chain over to the key that signs now, if another signed its last row. */
    void leadOver(EventSealer sealing) {
        if (keyId == null) {
            return;
        }
        EventSealer.Sealed sealed = sealing.seal(head, keyId, List.of(), account.now());
        Writes rows = RowMapper.of(account.userId().value(), Outcome.nothing(true), sealed.rows(), account.now());
        writes.putAll(rows);
        grow(sealed);
    }

    private void grow(EventSealer.Sealed sealed) {
        List<PolicyEvent> made =
                sealed.rows().stream().map(EventSealer.Row::event).toList();
        if (!made.isEmpty()) {
            first = first == null ? made.get(0) : first;
            head = ChainHead.after(made.get(made.size() - 1));
            events += made.size();
            keyId = sealed.keyId();
            sealed.rows().forEach(told::add);
        }
    }

    /** The first event that was added, or null. */
    @Nullable
    PolicyEvent first() {
        return first;
    }

    int events() {
        return events;
    }

    /** Where the chain ends now. */
    ChainHead head() {
        return head;
    }

    /** The row as it was before all of this. */
    AccountRow before() {
        return locked;
    }

    /** What has been added. */
    Filters.Growth growth() {
        return new Filters.Growth(account.userId(), locked.head().seq(), head.seq());
    }

    /** Whether there are new events, and of the account itself no more is to be written than {@link Table#GROWN}. */
    boolean hasGrown() {
        AccountRow row = row();
        return first != null
                && row.ipsVersion() == locked.ipsVersion()
                && row.portfolioRev() == locked.portfolioRev()
                && row.keysRev() == locked.keysRev()
                && Objects.equals(row.signingKeyId(), locked.signingKeyId());
    }

    /** Whether the new events say all there is to say, and the {@link JournalTail} may grow by them. */
    boolean mayTrail() {
        return hasGrown()
                && writes.isOnlyOf(TAIL)
                && told.explains(account.tallies())
                && head.seq() - locked.storedSeq() <= Dialect.MAX_TAIL;
    }

    /** Adds the events that are to be written and nothing else. */
    void trailTo(Writes all) {
        isTrailing = true;
        all.putAll(writes, Table.POLICY_EVENT);
    }

    /** Adds everything that is to be written. */
    void writeTo(Writes all) {
        if (isToBeWritten()) {
            UUID user = account.userId().value();
            unsaved.forEach(key -> RowMapper.tally(
                    all, user, key, Objects.requireNonNull(account.tallies().get(key))));
            all.putAll(writes);
            RowMapper.account(all, user, row());
        }
    }

    private boolean isToBeWritten() {
        return !isTrailing && !(writes.isEmpty() && unsaved.isEmpty());
    }

    /** Remembers what was committed. */
    void remember(RevisionCache revisions, KeyCache known, AccountCache accounts) {
        AccountRow row = row();
        accounts.keep(locked, row, account.tallies(), isTrailing ? unsavedNow() : Set.of());
        IpsVersion ips = account.ips();
        Portfolio portfolio = account.portfolio();
        if (ips != null && row.ipsVersion() != locked.ipsVersion()) {
            revisions.ips().keep(row.userId(), row.ipsVersion(), ips);
        }
        if (portfolio != null && row.portfolioRev() != locked.portfolioRev()) {
            revisions.portfolios().keep(row.userId(), row.portfolioRev(), portfolio);
        }
        if (!changedKeys.isEmpty()) {
            revisions.keys().keep(row.userId(), row.keysRev(), account.keys());
            changedKeys.forEach(known::replace);
        }
    }

    private Set<AgentKeyId> unsavedNow() {
        Set<AgentKeyId> all = new HashSet<>(unsaved);
        all.addAll(told.called());
        return all;
    }

    private AccountRow row() {
        IpsVersion ips = account.ips();
        Portfolio portfolio = account.portfolio();
        return new AccountRow(
                head,
                isToBeWritten() ? head.seq() : locked.storedSeq(),
                ips == null ? locked.ipsVersion() : ips.version(),
                portfolio == null ? locked.portfolioRev() : portfolio.revision(),
                keysRev,
                keyId,
                isToBeWritten() ? locked.changes() + 1 : locked.changes(),
                account.decided());
    }
}
