package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.adapter.http.console.ConsoleFiles;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.metric.ServiceStatus;
import dev.agentpolicy.adapter.http.oauth.OAuthApi.OAuthUseCases;
import dev.agentpolicy.adapter.http.server.HttpServer;
import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.rate.CallCounters;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.ControlSocket.ControlCommand;
import dev.agentpolicy.app.DemoUser.DemoPassword;
import dev.agentpolicy.app.HttpListeners.Backend;
import dev.agentpolicy.app.Running.CloseStack;
import dev.agentpolicy.app.anchor.Anchors;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.connection.HttpsClientDocuments;
import dev.agentpolicy.app.connection.PublicHttps;
import dev.agentpolicy.app.guard.ClockWatch;
import dev.agentpolicy.app.guard.Clocks;
import dev.agentpolicy.app.guard.DiskGuard;
import dev.agentpolicy.app.guard.GuardedClock;
import dev.agentpolicy.app.guard.HeadRing;
import dev.agentpolicy.app.guard.RollbackGuard;
import dev.agentpolicy.app.guard.WorkerPool;
import dev.agentpolicy.app.mail.MailOutbox;
import dev.agentpolicy.app.passkey.WebAuthnVerifier;
import dev.agentpolicy.app.push.PushOutbox;
import dev.agentpolicy.app.push.PushOutbox.PushServices;
import dev.agentpolicy.app.security.Argon2Passwords;
import dev.agentpolicy.app.security.CommonPasswordList;
import dev.agentpolicy.app.security.GuardedSigner;
import dev.agentpolicy.app.security.PublishedKeys;
import dev.agentpolicy.app.security.SecureRandomSource;
import dev.agentpolicy.app.tlog.LogSequencer;
import dev.agentpolicy.app.tlog.LogSequencer.SignedSizes;
import dev.agentpolicy.app.tlog.Witnesses;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.TokenDerivation;
import dev.agentpolicy.domain.sandbox.Sandbox;
import dev.agentpolicy.domain.usecase.AnnouncedAccounts;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.ScheduledAccounts;
import dev.agentpolicy.domain.usecase.agent.AdmitCall;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.ReadLog;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import dev.agentpolicy.domain.usecase.connection.AnswerConnection;
import dev.agentpolicy.domain.usecase.connection.GrantTokens;
import dev.agentpolicy.domain.usecase.connection.OAuthClients;
import dev.agentpolicy.domain.usecase.connection.RequestConnection;
import dev.agentpolicy.domain.usecase.custodian.BeginPeak;
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
import dev.agentpolicy.domain.usecase.signin.MailLinks;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManageProfile;
import dev.agentpolicy.domain.usecase.signin.ManagePush;
import dev.agentpolicy.domain.usecase.signin.ManageSessions;
import dev.agentpolicy.domain.usecase.signin.ManageViewers;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignUp;
import dev.agentpolicy.domain.usecase.upkeep.BringIntoForce;
import dev.agentpolicy.domain.usecase.upkeep.DeleteAccount;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import dev.agentpolicy.domain.usecase.upkeep.ExpireRequests;
import dev.agentpolicy.domain.usecase.upkeep.WriteGate;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Constructs and connects all parts of the service, and starts it. No other class knows how the parts are made. */
final class Wiring {
    private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
    private static final int WORKERS = 4;
    /** Calls that may wait for custodians at the same time, those of users and of the background. */
    private static final int MAX_ASKING = 200;

    private static final int PUSHES_AT_ONCE = 8;

    private static final String ISSUER = "agent-policy";

    private final GuardedClock clock;
    private final SecureRandomSource random = new SecureRandomSource();
    private final Argon2Passwords passwords;
    private final Metrics metrics = new Metrics();
    private final CloseStack opened = new CloseStack();
    private final Config config;
    private final Function<Executor, PublicHttps> web;
    private final DiskGuard disk;
    private final WriteGate decisions;

    /** @param web makes what calls push services, of the threads for that */
    private Wiring(Config config, Clocks clocks, Argon2Passwords.Cost cost, Function<Executor, PublicHttps> web) {
        this.config = config;
        this.web = web;
        this.disk = opened.add(new DiskGuard(config.minFreeMegabytes()));
        this.clock = new GuardedClock(clocks, config.clockTrust().tolerance());
        this.decisions = new WriteGate(
                Stream.concat(Stream.of(new WriteGate.Obstacle("disk", disk::decisionsStopped)), clock.obstacles())
                        .toList());
        this.passwords = new Argon2Passwords(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), cost);
    }

    /** Opens the database for a command. */
    static JdbcStore open(Config config) {
        return JdbcStore.open(database(config));
    }

    /** The configuration of the database, for commands that open it themselves. */
    static DatabaseConfig database(Config config) {
        return new Wiring(config, Clocks.system(), Argon2Passwords.Cost.OWASP, PublicHttps::new).database();
    }

    /** Opens the database, warms up the signer, and listens. If a step fails, everything opened before is closed. */
    static Running start(Config config) {
        return start(config, Clocks.system(), Argon2Passwords.Cost.OWASP);
    }

    /** Starts a node with other clocks, and with hashes of passwords that cost more or less. */
    static Running start(Config config, Clocks clocks, Argon2Passwords.Cost cost) {
        return start(config, clocks, cost, PublicHttps::new);
    }

    /** The same with another way to call push services. */
    static Running start(Config config, Clocks clocks, Argon2Passwords.Cost cost, Function<Executor, PublicHttps> web) {
        WorkerPool.daemon("prepare", Wiring::prepare).start();
        Wiring wiring = new Wiring(config, clocks, cost, web);
        try {
            return wiring.start();
        } catch (RuntimeException failed) {
            wiring.opened.close();
            throw failed;
        }
    }

    private Running start() {
        // The database, refused if it was rolled back or the clocks disagree.
        HeadRing heads = opened.add(new HeadRing());
        JdbcStore store = opened.add(JdbcStore.open(database().stoppedBy(disk::writesStopped)));
        ClockWatch clockWatch = opened.add(new ClockWatch(clock, config.clockTrust(), store));
        clockWatch.requireRight();
        RollbackGuard rollback = RollbackGuard.check(config, store);

        // Signing.
        WorkerPool workers = opened.add(new WorkerPool("worker", WORKERS));
        KeyRing keys = KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock);
        CompletableFuture<Void> warm = CompletableFuture.runAsync(keys::warmUp, workers);
        Optional<Anchors> anchors = config.anchoring().map(it -> opened.add(anchors(it, store, keys)));
        rollback.settle(anchors.filter(Anchors::isOverridden).isPresent(), heads, random, clock.instant());
        EventSigner events = keys.signer(Purpose.EVENT);

        // Use cases.
        Notices mails = config.mail()
                .<Notices>map(it -> opened.add(
                        new MailOutbox(it, store.users(), clock, outcome -> metrics.mail(outcome.wireName()))))
                .orElse(Notices.NONE);
        Optional<PushServices> pushServices = config.push() == Config.Switch.OFF
                ? Optional.empty()
                : Optional.of(new PushServices(
                        keys.webPush(),
                        web.apply(opened.add(new WorkerPool("push-service", PUSHES_AT_ONCE))),
                        config.pushContact()));
        Optional<PushOutbox> pushes = pushServices.map(it -> opened.add(new PushOutbox(
                mails,
                store.users(),
                store.pushDevices(),
                store.requestQueue(),
                it,
                clock,
                outcome -> metrics.push(outcome.wireName()))));
        Notices notices = pushes.<Notices>map(it -> it).orElse(mails);
        Optional<LogSequencer> sequencer = config.log().readers() == Config.LogReaders.OFF
                ? Optional.empty()
                : Optional.of(opened.add(sequencer(store, keys)));
        Consumer<ChainHead> ends =
                sequencer.<Consumer<ChainHead>>map(heads::andThen).orElse(heads);
        Accounts stored = store.accounts(guarded(events, anchors), ends);
        Accounts accounts = new ScheduledAccounts(AnnouncedAccounts.of(stored, notices), AmendIps::comeIntoForce);
        ReadLog log = new ReadLog(
                sequencer.map(any -> store.transparencyLog()),
                store.eventLog(),
                store.sealedKeys()::all,
                sequencer.flatMap(any -> config.log().readPolicy()),
                clock);
        DeskPorts live = DeskPorts.live(store, accounts, events, decisions, heads::recorded, log);
        WorkerPool asking = opened.add(new WorkerPool("custodian", MAX_ASKING));
        CustodianDesk custodians = CustodianDesk.open(
                config.custodians(),
                store,
                live,
                config.ownerLimits(),
                keys.custodianCredentials(store.sealedCredentials()),
                asking,
                metrics,
                clock,
                random);
        EventSigner sandboxSigner = keys.signer(Purpose.SANDBOX);
        DeskPorts sandbox = DeskPorts.sandbox(new Sandbox(sandboxSigner, clock, random), sandboxSigner, clock);
        PasskeyProofs proofs = new PasskeyProofs(new WebAuthnVerifier(), store.passkeyChallenges(), random, clock);
        ManagePush push = new ManagePush(
                store.pushDevices(),
                pushServices.map(it -> it.crypto().publicKey()).orElse(""),
                host -> pushServices.filter(it -> it.web().isCallable(host)).isPresent(),
                notices,
                random,
                clock);
        AgentUseCases agents = live.desk(config.agentLimits(), config.requestWindow(), clock);
        AppUseCases useCases = useCases(live, agents, sandbox, store, custodians, proofs, notices, push, asking);

        Sweeps sweeps = opened.add(new Sweeps(clock::isTrusted));
        CustodianSyncs syncs = opened.add(new CustodianSyncs(custodians.due(), asking, clock::isTrusted));
        DemoMarket market = opened.add(new DemoMarket(store.paperBooks(), custodians.sync(), clock::isTrusted));
        DemoAgent demoAgent = opened.add(new DemoAgent(agents, useCases, clock));

        // HTTP.
        CallCounters counters = opened.add(counters());
        store.directory().ifPresent(disk::watch);
        ServiceStatus vitals = vitals(store, keys, warm, counters);
        AdmitCall admitCall = admitCall(store, agents, sandbox, counters);
        PublishedKeys published = new PublishedKeys(issuer(), store.sealedKeys(), keys.signer(Purpose.ANCHOR), clock);
        OAuthUseCases connecting =
                connecting(live, store, useCases.issueKeys(), keys.tokenDerivation(), notices, asking);
        Backend backend = new Backend(admitCall, useCases, connecting, published, vitals, metrics);
        sequencer.ifPresent(it -> metrics.watchLog(it::published, it::cosignatures, it::witnessErrors, it::isStopped));
        DemoPassword demoPassword = new DemoPassword(store.users(), passwords, random);
        demoPassword.retirePublished();
        HttpListeners listeners = HttpListeners.open(config, backend, clock);

        // Work in the background, once the signer is warm.
        warm.join();
        sweeps.begin(
                custodians.orders(),
                asking,
                new ExpireRequests(live.accounts(), live.requests(), new FanOut(asking), clock),
                new BringIntoForce(live.accounts(), live.reader(), clock),
                useCases.signIn(),
                useCases.mailLinks());
        pushes.ifPresent(sweeps::push);
        sweeps.rollOverKeys(store, keys, clock);
        sweeps.forgetOld(store, proofs, connecting.tokens(), clock);
        syncs.begin();
        sequencer.ifPresent(LogSequencer::begin);
        anchors.ifPresent(
                it -> sweeps.anchor(it, config.anchoring().orElseThrow().pause()));
        workers.execute(ConsoleFiles::load);
        workers.execute(listeners.mcp()::load);
        clockWatch.begin();
        listenToCommands(store, new GuardedSigner(events, clock::stop));
        LOG.info("Database {}; signing with {}", config.database(), KeyRing.implementation());
        store.warnOfExcessRights();
        return new Running(listeners, store.users(), useCases, demoPassword, market, demoAgent, opened);
    }

    /** Refuses to sign while the database is known to be behind an anchor, or the clock cannot be trusted. */
    private EventSigner guarded(EventSigner events, Optional<Anchors> anchors) {
        EventSigner known = anchors.map(it -> it.guarding(events)).orElse(events);
        return new GuardedSigner(known, clock::stop);
    }

    /** Only one process can open an H2 file, so commands that need it are run by this one. */
    private void listenToCommands(JdbcStore store, EventSigner signer) {
        Map<String, ControlCommand> commands = Map.of(
                BackupCommand.CONTROL_COMMAND, BackupCommand.controlCommand(store),
                EraseCommand.CONTROL_COMMAND, EraseCommand.controlCommand(store, signer, clock));
        H2Backup.databaseOf(config.database().url())
                .ifPresent(database -> opened.add(ControlSocket.listen(database, commands)));
    }

    /** Loads classes that the start needs later, while the database is being opened. */
    private static void prepare() {
        KeyRing.prepare();
        HttpServer.prepare();
    }

    private ServiceStatus vitals(JdbcStore store, KeyRing keys, CompletableFuture<Void> warm, CallCounters counters) {
        return new ServiceStatus(
                store::isReady,
                warm::isDone,
                store::queueDepth,
                store::oldestWaiting,
                counters::isStoreAway,
                counters::uncounted,
                () -> new ServiceStatus.Signing(KeyRing.implementation(), keyInUse(keys)),
                () -> store.pools().stream()
                        .map(it -> new ServiceStatus.Pool(it.name(), it.most(), it.active(), it.idle(), it.waiting()))
                        .toList(),
                decisions,
                () -> disk.writesStopped().isPresent(),
                disk::free);
    }

    /** The id of the signing key, or {@code none} if the node has not reached the database for long. */
    private static String keyInUse(KeyRing keys) {
        try {
            return keys.signer(Purpose.EVENT).keyId();
        } catch (Unavailable away) {
            return "none";
        }
    }

    private LogSequencer sequencer(JdbcStore store, KeyRing keys) {
        EventSigner signer = keys.logSigner(clock.instant());
        String x = store.sealedKeys().all().stream()
                .filter(key -> key.kid().equals(signer.keyId()))
                .findFirst()
                .orElseThrow()
                .x();
        Optional<SignedSizes> sizes = RollbackGuard.isRecorded(config)
                ? store.installation()
                        .map(id -> new SignedSizes(config.rollback().directory(), id))
                : Optional.empty();
        return new LogSequencer(
                store.transparencyLog(),
                store.chains(),
                new LogSequencer.Signing(signer, x),
                config.log(),
                sizes,
                config.log().readPolicy().map(policy -> new Witnesses(policy, clock)),
                clock,
                clock::isTrusted,
                random.uuid());
    }

    /** Refuses a database that is behind its anchors, before anything is written to it. */
    private Anchors anchors(Config.Anchoring anchoring, JdbcStore store, KeyRing keys) {
        Anchors anchors = new Anchors(anchoring, store, keys.signer(Purpose.ANCHOR), clock, random);
        anchors.requireNotBehind();
        return anchors;
    }

    private AppUseCases useCases(
            DeskPorts live,
            AgentUseCases desk,
            DeskPorts sandbox,
            JdbcStore store,
            CustodianDesk custodians,
            PasskeyProofs proofs,
            Notices notices,
            ManagePush push,
            Executor asking) {
        SignUp.Rules rules = new SignUp.Rules(
                config.signUp() == Config.SignUps.OPEN, config.signUpsPerHour(), CommonPasswordList::get);
        IssueKeys issueKeys = new IssueKeys(live.accounts(), live.reader(), random);
        SignIn signIn = new SignIn(store.users(), store.sessions(), store.devices(), passwords, random, clock, notices);
        ChangePassword changePassword = new ChangePassword(
                signIn,
                store.users(),
                store.mailTokens(),
                passwords,
                CommonPasswordList::get,
                live.accounts(),
                issueKeys::revokeAll,
                notices,
                clock);
        MailLinks links =
                new MailLinks(store.users(), store.mailTokens(), notices, MailOutbox::isMailable, random, clock);
        ManagePasskeys passkeys = new ManagePasskeys(live.accounts(), live.reader(), proofs, signIn);
        ReplayIps replayIps = new ReplayIps(live.events(), live.requests(), live.reader());
        return new AppUseCases(
                new SignUp(store.users(), passwords, links, random, clock, rules),
                signIn,
                new ManageSessions(store.sessions(), clock),
                new ManageViewers(live.accounts(), live.reader(), store.sessions(), random, clock),
                changePassword,
                new DeleteAccount(
                        passkeys,
                        live.accounts(),
                        issueKeys,
                        custodians.connect(),
                        store.sessions(),
                        store.erasures(),
                        new ErasePayloads(
                                live.events(), store.erasures(), new GuardedSigner(live.signer(), clock::stop), clock),
                        store.accountRemoval(),
                        clock),
                passkeys,
                new SignRequest(live.reader(), live.requests(), proofs),
                new ManageProfile(signIn, store.users(), store.mailTokens(), links, notices, clock),
                push,
                links,
                desk.readState(),
                new AmendIps(live.accounts(), config.ownerLimits(), asking),
                new BeginPeak(live.accounts(), passkeys),
                new PreviewIps(desk.readAudit(), live.reader()),
                replayIps,
                new CompareIps(live.reader(), clock),
                new TestIps(store.rehearsals(), live.reader(), clock),
                new RehearseIps(store.rehearsals(), replayIps, live.reader(), live.events(), clock),
                new TryTrade(
                        live.reader(),
                        desk.readState(),
                        sandbox.reader(),
                        new ReadState(sandbox.reader(), sandbox.dailyCalls(), clock),
                        clock),
                custodians.observe(),
                custodians.connect(),
                issueKeys,
                new ReadRequests(live.requests()),
                new ReviewRequest(live.reader(), live.requests(), store.fillLog(), store.paperBooks(), clock),
                new AttestRequest(live.accounts(), live.requests(), custodians.orders(), proofs),
                custodians.orders(),
                custodians.reconciliation(),
                desk.readAudit(),
                desk.readEvents(),
                desk.readLog(),
                new ReadUsage(store.callLog(), clock),
                new ReadHome(live.reader(), live.requests(), live.events(), clock),
                new ReadActivity(live.events(), live.requests(), live.reader()),
                new ReadInbox(
                        live.reader(),
                        live.requests(),
                        store.fillLog(),
                        live.events(),
                        store.users(),
                        store.connections(),
                        desk.readLog()::status,
                        clock),
                new AnswerConnection(
                        store.connections(), live.accounts(), live.reader(), passkeys, store.sessions(), random, clock),
                asking);
    }

    private OAuthUseCases connecting(
            DeskPorts live,
            JdbcStore store,
            IssueKeys issueKeys,
            TokenDerivation derivation,
            Notices notices,
            Executor asking) {
        OAuthClients clients = new OAuthClients(
                store.connections(),
                new HttpsClientDocuments(new PublicHttps(asking)),
                config.connections().documents(),
                random,
                clock);
        return new OAuthUseCases(
                clients,
                new RequestConnection(clients, store.connections(), random, clock),
                new GrantTokens(
                        store.connections(),
                        live.accounts(),
                        live.reader(),
                        issueKeys,
                        derivation,
                        notices,
                        random,
                        clock,
                        config.connections().refreshGrace()));
    }

    private AdmitCall admitCall(JdbcStore store, AgentUseCases agents, DeskPorts sandbox, CallCounters counters) {
        return new AdmitCall(
                store.agentKeys(),
                counters.counter(),
                clock,
                agents,
                sandbox.desk(AgentLimits.NONE, config.requestWindow(), clock));
    }

    private CallCounters counters() {
        int perSecond = config.callsPerSecond();
        return config.rateLimitDatabase()
                .map(shared -> CallCounters.shared(
                        shared.url(),
                        shared.user().orElse(null),
                        shared.password().orElse(null),
                        perSecond))
                .orElseGet(() -> CallCounters.inProcess(perSecond));
    }

    private DatabaseConfig database() {
        Config.Database database = config.database();
        return DatabaseConfig.of(
                        database.url(),
                        database.user().orElse(null),
                        database.password().orElse(null),
                        clock,
                        random)
                .withLanes(config.lanes(), DatabaseConfig.DEFAULT_QUEUE)
                .observedBy(metrics::committed);
    }

    /** The issuer of the signing keys, the same on every node. */
    private String issuer() {
        return config.baseUrl().map(url -> url + "/api/agent/v1").orElse(ISSUER);
    }
}
