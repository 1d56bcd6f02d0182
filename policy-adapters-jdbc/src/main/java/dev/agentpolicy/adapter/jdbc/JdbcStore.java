package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup.BackupFailed;
import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.commit.EventSealer;
import dev.agentpolicy.adapter.jdbc.commit.GroupCommit;
import dev.agentpolicy.adapter.jdbc.commit.JdbcAccounts;
import dev.agentpolicy.adapter.jdbc.commit.KeyRoutes;
import dev.agentpolicy.adapter.jdbc.connect.Connections;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.connect.Pools;
import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.connect.Pools.PoolState;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.jdbc.log.Chains;
import dev.agentpolicy.adapter.jdbc.log.JdbcErasures;
import dev.agentpolicy.adapter.jdbc.log.JdbcEventLog;
import dev.agentpolicy.adapter.jdbc.log.NewestEvent;
import dev.agentpolicy.adapter.jdbc.sql.KeyNumbers;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.store.JdbcAccountReader;
import dev.agentpolicy.adapter.jdbc.store.JdbcAccountRemoval;
import dev.agentpolicy.adapter.jdbc.store.JdbcAgentKeys;
import dev.agentpolicy.adapter.jdbc.store.JdbcBrokerAccounts;
import dev.agentpolicy.adapter.jdbc.store.JdbcConnections;
import dev.agentpolicy.adapter.jdbc.store.JdbcDailyCalls;
import dev.agentpolicy.adapter.jdbc.store.JdbcFillLog;
import dev.agentpolicy.adapter.jdbc.store.JdbcPaperBooks;
import dev.agentpolicy.adapter.jdbc.store.JdbcPasskeyChallenges;
import dev.agentpolicy.adapter.jdbc.store.JdbcPushDevices;
import dev.agentpolicy.adapter.jdbc.store.JdbcRehearsals;
import dev.agentpolicy.adapter.jdbc.store.JdbcRequestQueue;
import dev.agentpolicy.adapter.jdbc.store.JdbcSealedCredentials;
import dev.agentpolicy.adapter.jdbc.store.JdbcSealedKeys;
import dev.agentpolicy.adapter.jdbc.store.JdbcSessions;
import dev.agentpolicy.adapter.jdbc.store.JdbcSyncSchedule;
import dev.agentpolicy.adapter.jdbc.store.JdbcTransparencyLog;
import dev.agentpolicy.adapter.jdbc.store.JdbcUsers;
import dev.agentpolicy.adapter.jdbc.store.RevisionSweep;
import dev.agentpolicy.adapter.jdbc.usage.JdbcCallLog;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountRemoval;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.port.BrokerAccounts;
import dev.agentpolicy.domain.port.CallLog;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.port.Erasures;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.port.Rehearsals;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.SealedCredentials;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.TransparencyLog;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import dev.agentpolicy.domain.port.signin.PushDevices;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One database, H2 or PostgreSQL, and the ports it stands behind.
 *
 * <p>Everything can be read from the moment it is open. Writing begins with {@link #accounts}, which needs the signer,
 * whose key {@link #sealedKeys} keeps.
 *
 * <p>Keys, sessions and users are looked up over connections and threads of their own, and so is whether the database
 * answers: however many pages are being read, callers are let in and the service is known to be healthy.
 */
public final class JdbcStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
    private static final int QUERY_THREADS = 2;
    private static final int ACCESS_THREADS = 1;
    /** So that callers whose keys are on a worker that does not answer do not hold up all others. */
    private static final int ACCESS_THREADS_OF_CLUSTER = 4;

    private static final int CUSTODIAN_THREADS = 2;

    private final DatabaseConfig config;
    private final Dialect dialect;
    private final Pools pools;
    private final UnaryOperator<ConnectionSource> wires;
    private final Reads reads;
    private final Reads accessReads;
    private final RevisionCache revisions = RevisionCache.empty();
    private final KeyCache known = new KeyCache();
    private final Transactions transactions;
    private final JdbcCallLog callLog;
    private final QueryExecutor queries = new QueryExecutor("policy-queries", QUERY_THREADS);
    private final QueryExecutor accessAsking;
    /** Threads of their own, so that a custodian whose row is locked delays no decision. */
    private final QueryExecutor custodianQueries = new QueryExecutor("policy-custodians", CUSTODIAN_THREADS);

    private final KeyNumbers keyNumbers;
    private final RevisionSweep revisionSweep;
    private final JdbcEventLog eventLog;
    private final NewestEvent newestEvent;
    private final JdbcDailyCalls dailyCalls;
    private final JdbcUsers users;
    /** Users whose accounts are not to be changed. */
    private final Set<UserId> held = ConcurrentHashMap.newKeySet();

    private @Nullable JdbcAccounts accounts;

    private JdbcStore(DatabaseConfig config, Dialect dialect, Pools pools, UnaryOperator<ConnectionSource> wires) {
        this.config = config;
        this.dialect = dialect;
        this.accessAsking = new QueryExecutor(
                "policy-access", dialect.isDistributed() ? ACCESS_THREADS_OF_CLUSTER : ACCESS_THREADS);
        this.pools = pools;
        this.wires = wires;
        this.reads = new Reads(pools.readers(), dialect, config.stop());
        this.accessReads = new Reads(pools.access(), dialect, config.stop());
        this.transactions = new Transactions(pools.readers(), dialect, config.stop());
        this.keyNumbers = new KeyNumbers(accessReads);
        this.revisionSweep = new RevisionSweep(reads, transactions);
        this.newestEvent = new NewestEvent(reads);
        this.eventLog = new JdbcEventLog(reads, keyNumbers, queries);
        this.dailyCalls = new JdbcDailyCalls(transactions, reads, queries);
        this.users = new JdbcUsers(accessReads, transactions);
        this.callLog = JdbcCallLog.start(transactions, reads, config.clock());
        pools.whenReopened(this::forget);
    }

    /**
     * Connects, brings the schema up to date and checks that what is committed stays committed.
     *
     * @throws UnusableDatabase when the service must not start on it; the message says what to do
     */
    public static JdbcStore open(DatabaseConfig config) {
        return open(config, UnaryOperator.identity());
    }

    /** The same with something between the lanes and their connections. */
    static JdbcStore open(DatabaseConfig config, UnaryOperator<ConnectionSource> wires) {
        Dialect dialect = Connections.dialect(config);
        return new JdbcStore(config, dialect, Pools.open(new Connections(config, dialect), dialect), wires);
    }

    /**
     * Starts the lanes; to be called once.
     *
     * @param signer signs the rows of the chains
     */
    public synchronized Accounts accounts(EventSigner signer) {
        return accounts(signer, head -> {});
    }

    /**
     * The same with somebody who keeps note of where chains end.
     *
     * @param heads gets the new end of each chain after its commit and before anybody is answered, on the thread of a
     *     lane, so it must be quick; the ends of one chain come in their order
     */
    public synchronized Accounts accounts(EventSigner signer, Consumer<ChainHead> heads) {
        if (accounts != null) {
            throw new IllegalStateException("The lanes of a store are started once.");
        }
        EventSealer sealing = new EventSealer(signer, keyNumbers, config.random());
        KeyRoutes routes = new KeyRoutes(pools.access(), dialect, known);
        GroupCommit commit = new GroupCommit(
                wires.apply(pools.lanes()),
                dialect,
                revisions,
                known,
                sealing,
                routes,
                config,
                queries.answers(),
                head -> {
                    newestEvent.written(head);
                    heads.accept(head);
                });
        accounts = new JdbcAccounts(dialect, pools.size(), config.queue(), commit, config.stop(), held::contains);
        return accounts;
    }

    /**
     * Leads chains that do not grow over from keys that have stopped to the one that signs; safe on every node.
     *
     * @return how many it looked at, which is more than none while there may be more
     */
    public CompletionStage<Integer> leadOverIdleChains(int limit) {
        JdbcAccounts writing = started();
        if (writing == null) {
            throw new IllegalStateException("The lanes are not started.");
        }
        List<UserId> idle = new JdbcSealedKeys(reads, transactions).idleChains(limit);
        CompletableFuture<?>[] changes = idle.stream()
                .map(user -> writing.rollover(user).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(changes).thenApply(done -> idle.size());
    }

    public TransparencyLog transparencyLog() {
        return new JdbcTransparencyLog(reads, transactions, config.random());
    }

    /** Where all chains end, and the lease of the node that checks them. */
    public Chains chains() {
        return new Chains(reads);
    }

    /** Refuses changes of the accounts of these users until each is {@linkplain #release released}. */
    public void hold(Collection<UserId> users) {
        held.addAll(users);
    }

    public void release(UserId user) {
        held.remove(user);
    }

    public NewestEvent newestEvent() {
        return newestEvent;
    }

    /** What the clock of the database says; empty where the database has the clock of this process. */
    public Optional<Instant> databaseTime() {
        return times(dialect.tellingTime()).stream().findFirst();
    }

    /** The same of all servers of a cluster that answer. */
    public List<Instant> databaseTimes() {
        return times(dialect.tellingTimes());
    }

    private List<Instant> times(@Nullable String telling) {
        return telling == null
                ? List.of()
                : reads.list(
                        telling, row -> row.getObject(1, OffsetDateTime.class).toInstant());
    }

    /**
     * The id this database was given when it was first served; empty before. Copies of a database have the same one.
     */
    public Optional<UUID> installation() {
        return reads.first("SELECT id FROM installation", row -> row.getObject(1, UUID.class));
    }

    /** Gives this database an id unless it has one. When several nodes start at once, all get the same id. */
    public UUID establishInstallation(UUID drawn) {
        return installation()
                .or(() -> reads.insert("INSERT INTO installation(id) VALUES (?)", drawn)
                        ? Optional.of(drawn)
                        : installation())
                .orElseThrow();
    }

    /**
     * Warns when the service could change or delete rows of the chains, which it never needs to, and when the database does not
     * say whether it could, because it is busy or is another than PostgreSQL.
     */
    public void warnOfExcessRights() {
        try {
            reads.connected(connection -> {
                dialect.warnOfExcessRights(connection);
                return true;
            });
        } catch (Unavailable | SqlFailed untold) {
            LOG.warn("Whether the service has more rights than it needs could not be asked: {}", untold.getMessage());
        }
    }

    public AccountReader accountReader() {
        return new JdbcAccountReader(reads, revisions, queries);
    }

    public EventLog eventLog() {
        return eventLog;
    }

    public Erasures erasures() {
        return new JdbcErasures(transactions);
    }

    public AgentKeys agentKeys() {
        return new JdbcAgentKeys(accessReads, known, accessAsking, config.clock());
    }

    public RequestQueue requestQueue() {
        return new JdbcRequestQueue(reads);
    }

    public FillLog fillLog() {
        return new JdbcFillLog(reads);
    }

    public DailyCalls dailyCalls() {
        return dailyCalls;
    }

    public Users users() {
        return users;
    }

    public Sessions sessions() {
        return new JdbcSessions(accessReads);
    }

    public MailTokens mailTokens() {
        return users;
    }

    public AccountRemoval accountRemoval() {
        return new JdbcAccountRemoval(transactions);
    }

    public Devices devices() {
        return users;
    }

    public PushDevices pushDevices() {
        return new JdbcPushDevices(reads, transactions);
    }

    public PasskeyChallenges passkeyChallenges() {
        return new JdbcPasskeyChallenges(reads);
    }

    /** How programs are connected by consent. */
    public ConnectionStore connections() {
        return new JdbcConnections(accessReads, transactions);
    }

    public SealedKeys sealedKeys() {
        return new JdbcSealedKeys(reads, transactions);
    }

    /** Where calls are noted; durable a second or two later, and when the store is closed. */
    public CallLog callLog() {
        return callLog;
    }

    public PaperBooks paperBooks() {
        return new JdbcPaperBooks(reads, transactions);
    }

    public SyncSchedule syncSchedule() {
        return new JdbcSyncSchedule(reads, transactions, custodianQueries);
    }

    /** What users rehearse policies with. */
    public Rehearsals rehearsals() {
        return new JdbcRehearsals(reads);
    }

    /** The accounts at brokers that users have connected. */
    public BrokerAccounts brokerAccounts() {
        return new JdbcBrokerAccounts(reads, custodianQueries, () -> establishInstallation(UUID.randomUUID()));
    }

    /** The credentials of synced custodians, encrypted by those who store them. */
    public SealedCredentials sealedCredentials() {
        return new JdbcSealedCredentials(reads, transactions, custodianQueries, config.clock());
    }

    /**
     * Writes the contents of an H2 database into a file, for {@link H2Backup}.
     *
     * @throws BackupFailed when it could not be written
     */
    public void export(Path script) {
        reads.connected(connection -> {
            H2Backup.export(connection, script);
            return true;
        });
    }

    /** Forgets idempotency keys that nothing finds any more; safe on every node. Answers how many. */
    public int removeOldReplays(Instant now) {
        return new JdbcRequestQueue(reads).removeOldReplays(now);
    }

    /** Forgets what was counted for the daily call caps of past days; safe on every node. Answers how many counts. */
    public int removeOldDailyCalls(Instant now) {
        return dailyCalls.removeOld(now);
    }

    /**
     * Forgets the portfolio revisions of past days but the last of each day; safe on every node. Answers how many.
     * Charts need no more, and a synced account has a new revision every minute.
     */
    public int removeOldRevisions(Instant now) {
        return revisionSweep.remove(now);
    }

    /** How the connections to the database are used at the moment. */
    public List<PoolState> pools() {
        return pools.states();
    }

    /** Whether the database answers now. */
    public boolean isReady() {
        return accessReads.isAnswered();
    }

    /** Changes that wait for a lane. */
    public int queueDepth() {
        return Optional.ofNullable(started()).map(JdbcAccounts::depth).orElse(0);
    }

    /** How long the oldest change waits that is not yet committed; zero when none does. */
    public Duration oldestWaiting() {
        JdbcAccounts started = started();
        return started == null ? Duration.ZERO : started.oldest();
    }

    /** Records and answers what was accepted, refuses everything after, and lets go of the database. */
    @Override
    public void close() {
        JdbcAccounts started = started();
        if (started != null) {
            started.close();
            noteAtLast();
        }
        queries.close();
        accessAsking.close();
        custodianQueries.close();
        callLog.close();
        pools.close();
    }

    private void noteAtLast() {
        try {
            newestEvent.note();
        } catch (Unavailable | JdbiException away) {
            LOG.warn("The time of the newest event could not be noted; the next start may have to look for it.", away);
        }
    }

    /** What was read of a database before it failed need not be in it now. */
    private void forget() {
        revisions.forget();
        known.forget();
        keyNumbers.forget();
        eventLog.forget();
    }

    /** Where the file of the database lies; empty when it has none of this process. */
    public Optional<Path> directory() {
        return dialect.directory();
    }

    private synchronized @Nullable JdbcAccounts started() {
        return accounts;
    }
}
