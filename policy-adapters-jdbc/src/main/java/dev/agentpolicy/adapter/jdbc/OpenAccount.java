package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.event.ChainHead;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.event.Receipt;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An account whose row is locked, with what the changes of a batch have made of it so far. */
final class OpenAccount {
    private final AccountRow locked;
    private final Writes writes = new Writes();
    private final List<AgentKey> changedKeys = new ArrayList<>(0);
    private Account account;
    private ChainHead head;
    private long keysRev;
    private @Nullable String keyId;
    private @Nullable PolicyEvent first;
    private int events;

    OpenAccount(AccountRow locked, Account account) {
        this.locked = locked;
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
    List<Receipt> add(Outcome<?> outcome, Sealing sealing) {
        if (outcome.isEmpty()) {
            return List.of();
        }
        Sealing.Sealed sealed = sealing.seal(head, keyId, outcome.events(), account.now());
        Writes rows = Recording.of(account.userId().value(), outcome, sealed.rows());
        Account after = account.after(outcome);
        writes.putAll(rows);
        account = after;
        List<PolicyEvent> made = sealed.rows().stream().map(Sealing.Row::event).toList();
        grow(made, sealed.keyId());
        if (!outcome.keys().isEmpty()) {
            keysRev++;
            changedKeys.addAll(outcome.keys());
        }
        return made.subList(made.size() - outcome.events().size(), made.size()).stream()
                .map(event -> new Receipt(event.seq(), event.hash()))
                .toList();
    }

    /** Leads the chain over to the key that signs now, if another signed its last row. */
    void leadOver(Sealing sealing) {
        if (keyId == null) {
            return;
        }
        Sealing.Sealed sealed = sealing.seal(head, keyId, List.of(), account.now());
        Writes rows = Recording.of(account.userId().value(), Outcome.nothing(true), sealed.rows());
        writes.putAll(rows);
        grow(sealed.rows().stream().map(Sealing.Row::event).toList(), sealed.keyId());
    }

    private void grow(List<PolicyEvent> made, String nextKeyId) {
        if (!made.isEmpty()) {
            first = first == null ? made.get(0) : first;
            head = ChainHead.after(made.get(made.size() - 1));
            events += made.size();
            keyId = nextKeyId;
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

    /** The number of the last event before all of this. */
    long seqBefore() {
        return locked.head().seq();
    }

    /** Whether something is to be written, and of the account itself no more than {@link Table#GROWN}. */
    boolean hasGrown() {
        AccountRow row = row();
        return !writes.isEmpty()
                && row.ipsVersion() == locked.ipsVersion()
                && row.portfolioRev() == locked.portfolioRev()
                && row.keysRev() == locked.keysRev()
                && Objects.equals(row.signingKeyId(), locked.signingKeyId());
    }

    /** Adds everything that is to be written. */
    void writeTo(Writes all) {
        if (!writes.isEmpty()) {
            all.putAll(writes);
            Recording.account(all, account.userId().value(), row());
        }
    }

    /** Remembers what was committed. */
    void remember(Revisions revisions, KnownKeys known, Remembered accounts) {
        AccountRow row = row();
        accounts.keep(locked, row, account.tallies());
        IpsVersion ips = account.ips();
        Portfolio portfolio = account.portfolio();
        if (ips != null && row.ipsVersion() != locked.ipsVersion()) {
            revisions.ips().put(new Revisions.Of(row.userId(), row.ipsVersion()), ips);
        }
        if (portfolio != null && row.portfolioRev() != locked.portfolioRev()) {
            revisions.portfolios().put(new Revisions.Of(row.userId(), row.portfolioRev()), portfolio);
        }
        if (!changedKeys.isEmpty()) {
            revisions.keys().put(new Revisions.Of(row.userId(), row.keysRev()), account.keys());
            changedKeys.forEach(known::replace);
        }
    }

    private AccountRow row() {
        IpsVersion ips = account.ips();
        Portfolio portfolio = account.portfolio();
        return new AccountRow(
                head,
                ips == null ? locked.ipsVersion() : ips.version(),
                portfolio == null ? locked.portfolioRev() : portfolio.revision(),
                keysRev,
                keyId,
                writes.isEmpty() ? locked.changes() : locked.changes() + 1);
    }
}
