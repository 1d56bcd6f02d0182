package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.DelayedCallCounter;
import dev.agentpolicy.adapter.http.RecordedCalls;
import dev.agentpolicy.adapter.http.SlowKeyStore;
import dev.agentpolicy.adapter.http.agent.AgentApi;
import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.app.AppApi;
import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.adapter.http.authzen.AuthzenApi;
import dev.agentpolicy.adapter.http.mcp.McpEndpoint;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.server.HttpServer;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.port.JdkPasskeyVerifier;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.PlainPasswords;
import dev.agentpolicy.domain.port.RecordedNotices;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.sandbox.FixedPolicy;
import dev.agentpolicy.domain.sandbox.Sandbox;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.usecase.AnnouncedAccounts;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.ScheduledAccounts;
import dev.agentpolicy.domain.usecase.agent.AdmitCall;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom;
import dev.agentpolicy.domain.usecase.agent.ReadLog;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.connection.AnswerConnection;
import dev.agentpolicy.domain.usecase.custodian.BeginPeak;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.CompareIps;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.policy.PreviewIps;
import dev.agentpolicy.domain.usecase.policy.ReadHome;
import dev.agentpolicy.domain.usecase.policy.RehearseIps;
import dev.agentpolicy.domain.usecase.policy.ReplayIps;
import dev.agentpolicy.domain.usecase.policy.TestIps;
import dev.agentpolicy.domain.usecase.policy.TryTrade;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import dev.agentpolicy.domain.usecase.request.ReadActivity;
import dev.agentpolicy.domain.usecase.request.ReadInbox;
import dev.agentpolicy.domain.usecase.request.ReadRequests;
import dev.agentpolicy.domain.usecase.request.ReviewRequest;
import dev.agentpolicy.domain.usecase.request.SignRequest;
import dev.agentpolicy.domain.usecase.signin.ChangePassword;
import dev.agentpolicy.domain.usecase.signin.CommonPasswords;
import dev.agentpolicy.domain.usecase.signin.MailLinks;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManageProfile;
import dev.agentpolicy.domain.usecase.signin.ManagePush;
import dev.agentpolicy.domain.usecase.signin.ManageSessions;
import dev.agentpolicy.domain.usecase.signin.ManageViewers;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignUp;
import dev.agentpolicy.domain.usecase.upkeep.DeleteAccount;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The real server on a free port, with ports in memory, and one user with the policy and portfolio of the sandbox. */
public final class TestService implements AutoCloseable {
    public static final Instant NOW = Instant.parse("2026-11-23T15:04:05.123456Z");
    public static final int PER_SECOND = 50;
    /** How long the holdings of a broker may be decided by. */
    public static final Duration MAX_AGE = Duration.ofMinutes(15);

    private static final Duration SYNC_INTERVAL = Duration.ofMinutes(1);
    static final int SIGN_UPS = 10;
    private static final CommonPasswords COMMON = new CommonPasswords(Set.of("password1234"));
    static final int MAX_PENDING = 100;
    static final int DECISIONS_PER_DAY = 10_000;
    public static final int IPS_VERSIONS_PER_DAY = 200;
    public static final int HOLDINGS_PER_DAY = 2_000;
    private static final OwnerLimits OWNER_LIMITS = new OwnerLimits(IPS_VERSIONS_PER_DAY, HOLDINGS_PER_DAY);
    private static final AgentLimits LIMITS = new AgentLimits(MAX_PENDING, DECISIONS_PER_DAY);

    public final SettableClock clock = new SettableClock(NOW);
    final CountingRandomSource random = new CountingRandomSource();
    public final JdkSigner signer = new JdkSigner();
    public final JdkSigner sandboxSigner = new JdkSigner(Purpose.SANDBOX);
    public final JdkSigner anchorSigner = new JdkSigner(Purpose.ANCHOR);
    public final InMemoryStore store = new InMemoryStore(clock, signer);
    public final SlowKeyStore keys = new SlowKeyStore(store.agentKeys());
    public final RecordedCalls noted = new RecordedCalls();
    public final UserId user = new UserId(UUID.fromString("7c9e6679-7425-40de-944b-e07fc1f90ae7"));
    public final RecordedNotices notices = new RecordedNotices();
    public final PlainPasswords passwords = new PlainPasswords();
    public final IssueKeys issueKeys =
            new IssueKeys(AnnouncedAccounts.of(store.accounts(), notices), store.accountReader(), random);
    private final InMemoryPaperBooks books = new InMemoryPaperBooks();
    private final PaperCustodian paper = new PaperCustodian(books, clock);
    private final ExecutorService asking = Executors.newCachedThreadPool();
    public final ScriptedBroker broker = new ScriptedBroker(paper, clock);
    private final InMemorySyncSchedule schedule = new InMemorySyncSchedule();
    public final InMemoryCustodianCredentials credentials = new InMemoryCustodianCredentials(schedule);
    public final List<RuntimeException> failures = new CopyOnWriteArrayList<>();
    public final LoggedFailures logged = new LoggedFailures();
    final AppUseCases app;
    private final AppApi api;
    public final HttpServer server;
    private final Client client;

    public TestService() {
        this(HttpConfig.of("127.0.0.1", 0, List.of()));
    }

    public TestService(HttpConfig config) {
        this(UnaryOperator.identity(), config, true);
    }

    /** @param accounts wraps the store for the use cases */
    public TestService(UnaryOperator<Accounts> accounts, HttpConfig config, boolean isSignUpOpen) {
        Accounts changing = new ScheduledAccounts(
                AnnouncedAccounts.of(accounts.apply(store.accounts()), notices), AmendIps::comeIntoForce);
        AgentUseCases live = desk(
                changing,
                store.accountReader(),
                store.eventLog(),
                store.requestQueue(),
                signer,
                KeyCheck.IN_ACCOUNT,
                store.dailyCalls());
        Sandbox sandbox = new Sandbox(sandboxSigner, clock, random);
        AgentUseCases play = desk(sandbox, sandbox, sandbox, sandbox, sandboxSigner, KeyCheck.AT_ADMISSION, sandbox);
        ReadUsage usage = new ReadUsage(noted, clock);
        AdmitCall admitCall = new AdmitCall(keys, new DelayedCallCounter(PER_SECOND), clock, live, play);
        CallGate gate = new CallGate(admitCall, usage, clock, config);
        app = app(changing, live, sandbox, usage, isSignUpOpen);
        FairShare share = new FairShare();
        AgentOperations operations = new AgentOperations(usage, share);
        api = new AppApi(app, share, clock, config);
        List<Route> routes = Stream.of(
                        new AgentApi(gate, this::manifest, operations).routes(),
                        new AuthzenApi(gate, config, null).routes(),
                        List.of(new McpEndpoint(gate, operations, config, "test").route()),
                        api.routes(),
                        List.of(broken(gate)))
                .flatMap(List::stream)
                .toList();
        server = HttpServer.start(config, gate, routes, new Metrics());
        client = new Client(server.address());
    }

    /** Gives the user the policy and portfolio of the sandbox. */
    public TestService withPolicyAndPortfolio() {
        app.amendIps().put(user, FixedPolicy.IPS.ips()).toCompletableFuture().join();
        app.observePortfolio()
                .observe(
                        user,
                        new PaperSetup(
                                FixedPolicy.PORTFOLIO.custodians().get(0),
                                Map.of(new AssetSymbol("ETH"), Usd.of(2500)),
                                PaperMarket.OPEN));
        return this;
    }

    /** The credential of a new key of the user. */
    public String key(KeyType type, KeyPolicy policy, Scope... scopes) {
        KeyRequest asked = new KeyRequest("Robot", type, Set.of(scopes), policy, null);
        return issueKeys
                .mint(user, asked)
                .toCompletableFuture()
                .join()
                .fold(issued -> issued.credential().reveal(), refusal -> {
                    throw new AssertionError(refusal);
                });
    }

    public String key(Scope... scopes) {
        return key(KeyType.LIVE, KeyPolicy.NO_CAPS, scopes);
    }

    public String key() {
        return key(Scope.values());
    }

    public String testKey() {
        return key(KeyType.TEST, KeyPolicy.NO_CAPS, Scope.values());
    }

    SigningKeyManifest manifest() {
        store.reach();
        return SigningKeyManifest.of(
                        "policy.example/agent/v1", List.of(signer.key(), sandboxSigner.key(), anchorSigner.key()))
                .signed(anchorSigner.keyId(), anchorSigner::sign);
    }

    /** The use cases of the app API. */
    public AppUseCases app() {
        return app;
    }

    public Client client() {
        return client;
    }

    @Override
    public void close() {
        api.close();
        server.close();
        keys.close();
        asking.shutdown();
        logged.close();
    }

    /** A route that contains a bug. */
    private static Route broken(CallGate gate) {
        String path = "/api/agent/v1/broken";
        return new Route("GET", path, Access.PUBLIC, "-", gate.admitAnyone(path, ctx -> {
            throw new IllegalStateException("secret of the house");
        }));
    }

    private AgentUseCases desk(
            Accounts accounts,
            AccountReader reader,
            EventLog events,
            RequestQueue requests,
            EventSigner eventSigner,
            KeyCheck check,
            DailyCalls dailyCalls) {
        AgentLimits limits = accounts instanceof Sandbox ? AgentLimits.NONE : LIMITS;
        return new AgentUseCases(
                new ValidateTrade(accounts, check, limits),
                new ProposeTrade(accounts, check, limits, Duration.ofDays(7)),
                new ReadState(reader, dailyCalls, clock),
                new ReadHeadroom(reader, requests, clock),
                new ReadAudit(events, requests),
                new ReadEvents(events, eventSigner, clock, user -> 0),
                new ReadLog(
                        accounts instanceof Sandbox ? Optional.empty() : Optional.of(new OneEntryLog()),
                        events,
                        () -> List.of(TestKey.ONE.active(SigningKey.Purpose.LOG, Instant.EPOCH)),
                        Optional.empty(),
                        clock),
                dailyCalls,
                accounts instanceof Sandbox);
    }

    private AppUseCases app(
            Accounts accounts, AgentUseCases live, Sandbox sandbox, ReadUsage usage, boolean isSignUpOpen) {
        FanOut threads = new FanOut(asking);
        SyncCustodian sync = new SyncCustodian(
                accounts, broker, store.brokerAccounts(), schedule, new SyncTimes(SYNC_INTERVAL, MAX_AGE), threads);
        ExecuteOrders orders = new ExecuteOrders(
                accounts,
                store.requestQueue(),
                broker,
                sync,
                threads,
                (custodian, failed) -> failures.add(failed),
                clock);
        ConnectCustodian connect = new ConnectCustodian(
                accounts, store.accountReader(), broker, store.brokerAccounts(), credentials, paper, sync);
        PasskeyProofs proofs = new PasskeyProofs(new JdkPasskeyVerifier(), store.passkeyChallenges(), random, clock);
        SignIn signIn = new SignIn(store.users(), store.sessions(), store.devices(), passwords, random, clock, notices);
        ChangePassword changePassword = new ChangePassword(
                signIn,
                store.users(),
                store.mailTokens(),
                passwords,
                () -> COMMON,
                accounts,
                issueKeys::revokeAll,
                notices,
                clock);
        MailLinks links = new MailLinks(
                store.users(), store.mailTokens(), notices, address -> !address.startsWith("."), random, clock);
        ManagePasskeys passkeys = new ManagePasskeys(accounts, store.accountReader(), proofs, signIn);
        ReplayIps replayIps = new ReplayIps(store.eventLog(), store.requestQueue(), store.accountReader());
        return new AppUseCases(
                new SignUp(
                        store.users(),
                        passwords,
                        links,
                        random,
                        clock,
                        new SignUp.Rules(isSignUpOpen, SIGN_UPS, () -> COMMON)),
                signIn,
                new ManageSessions(store.sessions(), clock),
                new ManageViewers(accounts, store.accountReader(), store.sessions(), random, clock),
                changePassword,
                new DeleteAccount(
                        passkeys,
                        accounts,
                        issueKeys,
                        connect,
                        store.sessions(),
                        store.erasures(),
                        new ErasePayloads(store.eventLog(), store.erasures(), signer, clock),
                        store.accountRemoval(),
                        clock),
                passkeys,
                new SignRequest(store.accountReader(), store.requestQueue(), proofs),
                new ManageProfile(signIn, store.users(), store.mailTokens(), links, notices, clock),
                new ManagePush(
                        store.pushDevices(),
                        "B" + "A".repeat(86),
                        host -> !host.equals("localhost"),
                        notices,
                        random,
                        clock),
                links,
                live.readState(),
                new AmendIps(accounts, OWNER_LIMITS, Runnable::run),
                new BeginPeak(accounts, passkeys),
                new PreviewIps(live.readAudit(), store.accountReader()),
                replayIps,
                new CompareIps(store.accountReader(), clock),
                new TestIps(store.rehearsals(), store.accountReader(), clock),
                new RehearseIps(store.rehearsals(), replayIps, store.accountReader(), store.eventLog(), clock),
                new TryTrade(
                        store.accountReader(),
                        live.readState(),
                        sandbox,
                        new ReadState(sandbox, sandbox, clock),
                        clock),
                new ObservePortfolio(
                        accounts, store.accountReader(), paper, broker, sync, store.fillLog(), random, OWNER_LIMITS),
                connect,
                issueKeys,
                new ReadRequests(store.requestQueue()),
                new ReviewRequest(store.accountReader(), store.requestQueue(), store.fillLog(), books, clock),
                new AttestRequest(accounts, store.requestQueue(), orders, proofs),
                orders,
                new ReadReconciliation(store.requestQueue(), store.fillLog()),
                live.readAudit(),
                live.readEvents(),
                live.readLog(),
                usage,
                new ReadHome(store.accountReader(), store.requestQueue(), store.eventLog(), clock),
                new ReadActivity(store.eventLog(), store.requestQueue(), store.accountReader()),
                new ReadInbox(
                        store.accountReader(),
                        store.requestQueue(),
                        store.fillLog(),
                        store.eventLog(),
                        store.users(),
                        store.connections(),
                        live.readLog()::status,
                        clock),
                new AnswerConnection(
                        store.connections(),
                        accounts,
                        store.accountReader(),
                        passkeys,
                        store.sessions(),
                        random,
                        clock),
                asking);
    }
}
