package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.RequestQueue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The world of test keys (contract, section 5): each key has an account of its own with the same fixed policy and
 * portfolio, kept in memory and forgotten; request ids are negative.
 */
public final class Sandbox implements Accounts {
    private static final int MAX_ACCOUNTS = 500;
    /** Of all accounts together; the one that was used longest ago is forgotten first. */
    private static final long MAX_BYTES = 12 * 1024 * 1024;

    private static final int SALT_BYTES = 16;

    private final EventSigner signer;
    private final InstantSource clock;
    private final RandomSource random;
    private final AtomicLong requestIds = new AtomicLong();
    private final DemoChain demoChain;
    private final SandboxReplays replays = new SandboxReplays();
    private final Map<UserId, SizedAccount> accounts = new LinkedHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** @param signer with the key of purpose {@code sandbox}, so that nothing here can pass for real */
    public Sandbox(EventSigner signer, InstantSource clock, RandomSource random) {
        this.signer = signer;
        this.clock = clock;
        this.random = random;
        this.demoChain = DemoChain.signedBy(signer);
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        SandboxAccount account = account(user);
        R answer = account.change(change, clock.instant(), requestIds::decrementAndGet, this::seal);
        keep(user, account);
        return CompletableFuture.completedFuture(answer);
    }

    public AccountReader reader() {
        return new SandboxAccountReader(this, demoChain);
    }

    public EventLog eventLog() {
        return new SandboxEventLog(this, demoChain);
    }

    /** Counts in memory, as long as the account of the key is remembered. */
    public DailyCalls dailyCalls() {
        return new SandboxDailyCalls(this);
    }

    public RequestQueue requests() {
        return new SandboxRequestQueue(this);
    }

    /** The account of a key, which is from now on the one that was used last. */
    SandboxAccount account(UserId user) {
        synchronized (accounts) {
            SizedAccount known = accounts.remove(user);
            SizedAccount seat =
                    known == null ? new SizedAccount(new SandboxAccount(user, demoChain.head(), replays), 0) : known;
            accounts.put(user, seat);
            forgetEldest();
            return seat.account;
        }
    }

    /** Weighs an account after a change. */
    private void keep(UserId user, SandboxAccount account) {
        long now = account.bytes();
        synchronized (accounts) {
            SizedAccount seat = accounts.get(user);
            if (seat != null && seat.account == account) {
                accounts.put(user, new SizedAccount(account, now));
                bytes.addAndGet(now - seat.bytes);
            }
            forgetEldest();
        }
    }

    /** Forgets accounts that were used longest ago while all are too many or too heavy. */
    private void forgetEldest() {
        Iterator<SizedAccount> eldestFirst = accounts.values().iterator();
        while (accounts.size() > 1 && (bytes.get() > MAX_BYTES || accounts.size() > MAX_ACCOUNTS)) {
            bytes.addAndGet(-eldestFirst.next().bytes);
            eldestFirst.remove();
        }
    }

    /** An account and what it weighed last. */
    private record SizedAccount(SandboxAccount account, long bytes) {}

    private PolicyEvent seal(ChainHead head, EventDraft draft, Instant now) {
        String salt = Base64.getUrlEncoder().withoutPadding().encodeToString(random.bytes(SALT_BYTES));
        return EventChain.next(head, draft, random.uuid(), salt, now, signer.keyId(), signer::sign);
    }
}
