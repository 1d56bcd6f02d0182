package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.ips.ShadowIps;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import dev.agentpolicy.domain.port.signin.PushDevices;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All ports in memory, for tests of the use cases. Fulfils the same contracts as the databases. */
public final class InMemoryStore implements Ports, Accounts, AccountReader, AgentKeys {
    private final Map<UserId, InMemoryAccount> accounts = new ConcurrentHashMap<>();
    private final Map<BrokerAccount, UserId> brokerAccounts = new ConcurrentHashMap<>();
    private final Map<UserId, PolicyTests> tests = new ConcurrentHashMap<>();
    private final Map<UserId, ShadowIps> shadows = new ConcurrentHashMap<>();
    private final AtomicLong requestIds = new AtomicLong();
    private final InMemoryConnections connections = new InMemoryConnections(this::reach);
    private final InMemoryPasskeyChallenges challenges = new InMemoryPasskeyChallenges(this::reach);
    private final InMemoryUsers people =
            new InMemoryUsers(this::reach, user -> account(user).versions());
    private final InstantSource clock;
    private final EventSigner signer;
    private volatile boolean isAway;
    private volatile @Nullable RuntimeException failure;
    private final AtomicInteger callsUntilFailure = new AtomicInteger();

    public InMemoryStore(InstantSource clock, EventSigner signer) {
        this.clock = clock;
        this.signer = signer;
    }

    /** Makes changes fail, or succeed again. */
    public void away(boolean away) {
        isAway = away;
    }

    /** The rows of a chain after a sequence number. */
    public List<PolicyEvent> rows(UserId user, long after) {
        return account(user).rows(after);
    }

    /** Makes all calls of the store fail, reads too, or succeed again. */
    public void failing(@Nullable RuntimeException how) {
        failingAfter(0, how);
    }

    /** Makes the calls of the store fail once some more have succeeded, or succeed again. */
    public void failingAfter(int calls, @Nullable RuntimeException how) {
        callsUntilFailure.set(calls);
        failure = how;
    }

    /** Throws {@link Unavailable} while the store is set to fail. */
    public void reach() {
        RuntimeException how = failure;
        if (how != null && callsUntilFailure.getAndDecrement() <= 0) {
            throw how;
        }
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        if (isAway) {
            return CompletableFuture.failedFuture(new Unavailable("The store is away."));
        }
        try {
            return CompletableFuture.completedFuture(
                    account(user).change(change, clock.instant(), signer, requestIds::incrementAndGet));
        } catch (RuntimeException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    @Override
    public AccountView view(UserId user) {
        return account(user).view();
    }

    @Override
    public Tally tally(UserId user, AgentKeyId key) {
        return account(user).tally(key);
    }

    @Override
    public List<IpsVersion> ipsVersions(UserId user, int before, int limit) {
        return account(user).ipsVersions().stream()
                .filter(it -> it.version() < before)
                .sorted(Comparator.comparingInt(IpsVersion::version).reversed())
                .limit(limit)
                .toList();
    }

    @Override
    public List<ListedIpsVersion> listedIpsVersions(UserId user, int before, int limit) {
        return ipsVersions(user, before, limit).stream()
                .map(ListedIpsVersion::of)
                .toList();
    }

    @Override
    public Optional<IpsVersion> ipsVersion(UserId user, int version) {
        return account(user).ipsVersions().stream()
                .filter(it -> it.version() == version)
                .findFirst();
    }

    @Override
    public List<UserId> dueSchedules(Instant now, int limit) {
        Map<UserId, Instant> due = new HashMap<>();
        accounts.forEach((user, account) -> {
            ScheduledIps scheduled = account.view().passkeys().protection().scheduled();
            if (scheduled != null && scheduled.isDue(now)) {
                due.put(user, scheduled.effectiveAt());
            }
        });
        return due.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public List<PortfolioDay> portfolioHistory(UserId user, Instant since) {
        Map<LocalDate, Portfolio> lastOfDay = new TreeMap<>();
        account(user).portfolios().stream()
                .filter(revision -> !revision.asOf().isBefore(since))
                .forEach(revision -> lastOfDay.put(LocalDate.ofInstant(revision.asOf(), ZoneOffset.UTC), revision));
        return lastOfDay.values().stream().map(PortfolioDay::of).toList();
    }

    @Override
    public Optional<Portfolio> portfolioAt(UserId user, Instant time) {
        return account(user).portfolios().stream()
                .filter(revision -> !revision.asOf().isAfter(time))
                .reduce((earlier, later) -> later);
    }

    @Override
    public CompletionStage<Optional<AgentKey>> find(String credentialHash) {
        try {
            reach();
            return CompletableFuture.completedFuture(recall(credentialHash));
        } catch (RuntimeException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    @Override
    public Optional<AgentKey> recall(String credentialHash) {
        List<AgentKey> keys = accounts.values().stream()
                .flatMap(account -> account.view().keys().values().stream())
                .toList();
        return connections
                .use(credentialHash, clock.instant())
                .flatMap(owner -> keys.stream()
                        .filter(key -> key.credentialHash().equals(owner.consent()))
                        .map(key -> key.presentedUntil(owner.expiresAt()))
                        .findFirst())
                .or(() -> keys.stream()
                        .filter(key -> key.client() == null && key.hasSecret(credentialHash))
                        .map(key -> key.presentedBy(credentialHash))
                        .findFirst());
    }

    @Override
    public Accounts accounts() {
        return this;
    }

    @Override
    public AccountReader accountReader() {
        return this;
    }

    @Override
    public AgentKeys agentKeys() {
        return this;
    }

    @Override
    public EventLog eventLog() {
        return new InMemoryEventLog(this);
    }

    @Override
    public Erasures erasures() {
        return new InMemoryErasures(this);
    }

    @Override
    public FillLog fillLog() {
        return new InMemoryFills(this);
    }

    @Override
    public RequestQueue requestQueue() {
        return new InMemoryRequests(this);
    }

    @Override
    public DailyCalls dailyCalls() {
        return new InMemoryDailyCalls(this);
    }

    @Override
    public Users users() {
        return people;
    }

    @Override
    public Sessions sessions() {
        return people;
    }

    @Override
    public MailTokens mailTokens() {
        return people;
    }

    @Override
    public AccountRemoval accountRemoval() {
        return user -> {
            account(user).removeRecords();
            people.remove(user);
            brokerAccounts.values().removeIf(user::equals);
            connections.remove(user);
            tests.remove(user);
            shadows.remove(user);
        };
    }

    @Override
    public Devices devices() {
        return people;
    }

    @Override
    public PushDevices pushDevices() {
        return people.pushDevices();
    }

    @Override
    public PasskeyChallenges passkeyChallenges() {
        return challenges;
    }

    @Override
    public ConnectionStore connections() {
        return connections;
    }

    @Override
    public Rehearsals rehearsals() {
        return new Rehearsals() {
            @Override
            public PolicyTests tests(UserId user) {
                reach();
                return tests.getOrDefault(user, PolicyTests.NONE);
            }

            @Override
            public void replaceTests(UserId user, PolicyTests sent) {
                reach();
                tests.put(user, sent);
            }

            @Override
            public Optional<ShadowIps> shadow(UserId user) {
                reach();
                return Optional.ofNullable(shadows.get(user));
            }

            @Override
            public void replaceShadow(UserId user, ShadowIps shadow) {
                reach();
                shadows.put(user, shadow);
            }

            @Override
            public boolean removeShadow(UserId user, ShadowIps shadow) {
                reach();
                return shadows.remove(user, shadow);
            }
        };
    }

    @Override
    public BrokerAccounts brokerAccounts() {
        return new BrokerAccounts() {
            @Override
            public boolean claim(UserId user, BrokerAccount account) {
                reach();
                return brokerAccounts.computeIfAbsent(account, any -> user).equals(user);
            }

            @Override
            public void keepOnly(UserId user, Collection<BrokerAccount> kept) {
                reach();
                brokerAccounts
                        .entrySet()
                        .removeIf(claimed -> claimed.getValue().equals(user) && !kept.contains(claimed.getKey()));
            }
        };
    }

    InMemoryAccount account(UserId user) {
        reach();
        return accounts.computeIfAbsent(user, InMemoryAccount::new);
    }

    Collection<InMemoryAccount> all() {
        return accounts.values();
    }
}
