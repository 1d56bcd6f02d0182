package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.H2Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.H2Dialect.H2File;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usage.CallRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;

/** Everything in a store that writes, at the same time: lanes, usage, paper books, sessions, and who tidies its file. */
final class ManyWriters {
    private static final int PROPOSERS = 4;
    private static final int USERS = 3;

    private final JdbcStore store;
    private final Accounts accounts;
    private final Transactions tidying;
    private final List<UserId> users =
            Stream.generate(StoreSamples::user).limit(USERS).toList();
    private final Collection<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final Collection<Throwable> failed = new ConcurrentLinkedQueue<>();

    private ManyWriters(JdbcStore store, Transactions tidying) {
        this.store = store;
        this.tidying = tidying;
        this.accounts = TestStores.accounts(store, new JdkSigner(), head -> {});
    }

    static ManyWriters on(String url) {
        JdbcStore store = JdbcStore.open(TestStores.config(url, InstantSource.system()));
        ManyWriters writers = new ManyWriters(store, tidying(url));
        writers.propose(new Random(0));
        return writers;
    }

    /** Transactions whose every commit tidies, where those of the store would seldom do so in their short life. */
    private static Transactions tidying(String url) {
        Dialect dialect = new H2Dialect(url, new H2File(1));
        JdbcDataSource connections = new JdbcDataSource();
        connections.setURL(dialect.url(url));
        connections.setUser("sa");
        try (Connection connection = connections.getConnection()) {
            dialect.requireDurable(connection);
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
        return new Transactions(connections::getConnection, dialect, Optional::empty);
    }

    /** Goes on until so much was written and answers what was acknowledged; the store is closed afterwards. */
    Collection<Acknowledged> until(int writes, long seed) throws InterruptedException {
        Random seeds = new Random(seed);
        List<Thread> threads = Stream.concat(
                        IntStream.range(0, PROPOSERS).<Step>mapToObj(i -> this::propose),
                        Stream.<Step>of(this::use, this::sync, this::signIn, this::tidy))
                .map(step -> {
                    Random random = new Random(seeds.nextLong());
                    return new Thread(() -> repeat(step, random, writes));
                })
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        store.close();
        failed.forEach(failure -> {
            throw new AssertionError("A writer failed.", failure);
        });
        return acknowledged;
    }

    private void repeat(Step step, Random random, int writes) {
        try {
            while (WrittenFiles.count() < writes && failed.isEmpty()) {
                step.take(random);
            }
        } catch (RuntimeException failure) {
            failed.add(failure);
        }
    }

    /** A request is made and accepted. */
    private void propose(Random random) {
        UserId user = any(random);
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        Pending pending = accounts.change(user, StoreSamples.change(account -> {
                    Instant now = account.now();
                    Pending made = Pending.of(StoreSamples.proposal(
                            account.requestIds().getAsLong(), user, key, now, now.plus(Duration.ofDays(1))));
                    return new Recording()
                            .event(StoreSamples.decided(key, true, now))
                            .request(made)
                            .answer(receipts -> made);
                }))
                .toCompletableFuture()
                .join();
        acknowledge(user, pending, false);
        ServiceRequest accepted = pending.accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), Instant.now());
        accounts.change(
                        user,
                        StoreSamples.change(account -> new Recording()
                                .event(StoreSamples.decided(key, true, account.now()))
                                .request(accepted)
                                .answer(receipts -> accepted)))
                .toCompletableFuture()
                .join();
        acknowledge(user, accepted, true);
    }

    private void acknowledge(UserId user, ServiceRequest request, boolean isAccepted) {
        acknowledged.add(new Acknowledged(WrittenFiles.count(), user, request.id(), isAccepted));
    }

    /** Calls are noted, and asking for a report writes them at once. */
    private void use(Random random) {
        UserId user = any(random);
        Instant now = Instant.now();
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        store.callLog()
                .record(new CallRecord(user, new AgentKeyId(user.value()), "/api/agent/v1/whoami", 200, 1_000, now));
        store.callLog().report(user, today, today);
    }

    private void sync(Random random) {
        StoreSamples.replace(store.paperBooks(), any(random), "100");
    }

    private void signIn(Random random) {
        String token = StoreSamples.hash();
        Instant now = Instant.now();
        store.sessions().open(token, StoreSamples.session(any(random), now, now.plusSeconds(60)));
        if (random.nextBoolean()) {
            store.sessions().close(token);
        }
    }

    private void tidy(Random random) {
        tidying.inOne(Connection::getAutoCommit);
    }

    private UserId any(Random random) {
        return users.get(random.nextInt(USERS));
    }

    private interface Step {
        void take(Random random);
    }
}
