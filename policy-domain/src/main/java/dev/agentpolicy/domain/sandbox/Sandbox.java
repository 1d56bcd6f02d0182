package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ports of test keys (docs/reference/sandbox.md). Each test key has an account of its own in memory, with a fixed
 * policy and portfolio; accounts that were not used for long are forgotten. Request ids are negative. Thread-safe; no
 * call blocks.
 */
public final class Sandbox implements Accounts, AccountReader, EventLog, RequestQueue, DailyCalls {
    private static final int MAX_ACCOUNTS = 500;
    /** Of all accounts together; the account whose last use is oldest is forgotten first. */
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

    /** @param signer signs with the key of purpose {@code sandbox}, so that its rows cannot pass as real ones */
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
        resize(user, account);
        return CompletableFuture.completedFuture(answer);
    }

    /** The account of a test key; makes it if needed, and marks it as the most recently used. */
    SandboxAccount account(UserId user) {
        synchronized (accounts) {
            SizedAccount known = accounts.remove(user);
            SizedAccount sized =
                    known == null ? new SizedAccount(new SandboxAccount(user, demoChain.head(), replays), 0) : known;
            accounts.put(user, sized);
            forgetEldest();
            return sized.account;
        }
    }

    /** Updates the size of an account after a change. */
    private void resize(UserId user, SandboxAccount account) {
        long now = account.bytes();
        synchronized (accounts) {
            SizedAccount sized = accounts.get(user);
            if (sized != null && sized.account == account) {
                accounts.put(user, new SizedAccount(account, now));
                bytes.addAndGet(now - sized.bytes);
            }
            forgetEldest();
        }
    }

    /** Forgets the accounts whose last use is oldest, until their number and size are within the limits. */
    private void forgetEldest() {
        Iterator<SizedAccount> eldestFirst = accounts.values().iterator();
        while (accounts.size() > 1 && (bytes.get() > MAX_BYTES || accounts.size() > MAX_ACCOUNTS)) {
            bytes.addAndGet(-eldestFirst.next().bytes);
            eldestFirst.remove();
        }
    }

    /** An account and its size in bytes after the last change. */
    private record SizedAccount(SandboxAccount account, long bytes) {}

    private PolicyEvent seal(ChainHead head, EventDraft draft, Instant now) {
        String salt = Base64.getUrlEncoder().withoutPadding().encodeToString(random.bytes(SALT_BYTES));
        return EventChain.next(head, draft, random.uuid(), salt, now, signer.keyId(), signer::sign);
    }

    // The fixed policy and portfolio, and what a test key has used.

    @Override
    public AccountView view(UserId user) {
        return new AccountView(
                demoChain.head(),
                FixedPolicy.IPS,
                FixedPolicy.PORTFOLIO,
                CustodianConnections.NONE,
                OwnerPasskeys.NONE,
                FlowCounts.NONE,
                Map.of());
    }

    /** Returns the presented key: it was checked when the call was admitted, and a sandbox account has no keys. */
    @Override
    public CompletionStage<KeyView> view(UserId user, AgentKey presented) {
        return CompletableFuture.completedFuture(new KeyView(
                presented,
                FixedPolicy.IPS,
                FixedPolicy.PORTFOLIO,
                CustodianConnections.NONE,
                tally(user, presented.id()),
                FlowCounts.NONE));
    }

    @Override
    public Tally tally(UserId user, AgentKeyId key) {
        return account(user).tallies().getOrDefault(key, Tally.NONE);
    }

    @Override
    public List<IpsVersion> ipsVersions(UserId user, int before, int limit) {
        return before > FixedPolicy.IPS.version() ? List.of(FixedPolicy.IPS) : List.of();
    }

    @Override
    public List<ListedIpsVersion> listedIpsVersions(UserId user, int before, int limit) {
        return ipsVersions(user, before, limit).stream()
                .map(ListedIpsVersion::of)
                .toList();
    }

    @Override
    public Optional<IpsVersion> ipsVersion(UserId user, int version) {
        return version == FixedPolicy.IPS.version() ? Optional.of(FixedPolicy.IPS) : Optional.empty();
    }

    /** The fixed policy never changes. */
    @Override
    public List<UserId> dueSchedules(Instant now, int limit) {
        return List.of();
    }

    @Override
    public List<PortfolioDay> portfolioHistory(UserId user, Instant since) {
        return List.of(PortfolioDay.of(FixedPolicy.PORTFOLIO));
    }

    @Override
    public Optional<Portfolio> portfolioAt(UserId user, Instant time) {
        return Optional.of(FixedPolicy.PORTFOLIO);
    }

    // The demonstration chain, and the recent decisions of a test key.

    @Override
    public EventPage page(UserId user, EventQuery query) {
        return demoChain.page(query);
    }

    @Override
    public ChainHead head(UserId user) {
        return demoChain.head();
    }

    @Override
    public List<LoggedDecision> decisions(UserId user, AuditQuery query) {
        return account(user).decisions().stream()
                .flatMap(event -> LoggedDecision.of(event).stream())
                .filter(logged -> matches(logged, query))
                .limit(query.limit())
                .toList();
    }

    private static boolean matches(LoggedDecision logged, AuditQuery query) {
        DecisionRecord decision = logged.decision();
        return (query.since() == null || logged.event().createdAt().isAfter(query.since()))
                && (query.before() == null || logged.event().seq() < query.before())
                && (query.allowed() == null || query.allowed() == decision.isAllowed())
                && (query.agentKeyId() == null || query.agentKeyId().equals(decision.agentKeyId()));
    }

    // The requests of a test key. They are never attested, and are forgotten instead of expiring.

    @Override
    public List<ServiceRequest> page(UserId user, @Nullable RequestStatus status, @Nullable Long before, int limit) {
        return account(user).requests().values().stream()
                .filter(request -> status == null || request.status() == status)
                .filter(request -> before == null || request.id() > before)
                .sorted(Comparator.comparing(ServiceRequest::id))
                .limit(limit)
                .toList();
    }

    @Override
    public List<Pending> waiting(UserId user, @Nullable Long before, int limit) {
        return page(user, RequestStatus.PENDING, before, Integer.MAX_VALUE).stream()
                .flatMap(request ->
                        request.<Stream<Pending>>fold(Stream::of, done -> Stream.empty(), no -> Stream.empty()))
                .filter(pending -> !pending.isAccepted())
                .limit(limit)
                .toList();
    }

    @Override
    public int countWaiting(UserId user, int max) {
        return waiting(user, null, max).size();
    }

    @Override
    public Optional<ServiceRequest> find(UserId user, long id) {
        return Optional.ofNullable(account(user).requests().get(id));
    }

    @Override
    public Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids) {
        return account(user).requests().entrySet().stream()
                .filter(entry -> ids.contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public List<RequestRef> expired(Instant now, int limit) {
        return List.of();
    }

    @Override
    public List<RequestRef> unconfirmed(Instant acceptedBefore, int limit) {
        return List.of();
    }

    @Override
    public List<ServiceRequest> attested(UserId user, @Nullable Long before, int limit) {
        return List.of();
    }

    // The calls of test keys with a daily call cap, which each node counts for itself.

    @Override
    public CompletionStage<OptionalLong> count(UserId account, AgentKeyId key, LocalDate day, int cap) {
        return CompletableFuture.completedStage(account(account).count(key, day, cap));
    }

    @Override
    public long counted(UserId account, AgentKeyId key, LocalDate day) {
        return account(account).counted(key, day);
    }
}
