package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreContract;
import dev.agentpolicy.domain.port.StoreSamples;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A store whose lanes can be cut off, and a second one with a narrow queue, on one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class OnLanes implements StoreContract {
    public static final int QUEUE = 8;
    private final SettableClock clock = new SettableClock(StoreSamples.START);
    public final JdkSigner signer = new JdkSigner();
    public final FaultyWire wire = new FaultyWire();
    public final AtomicInteger commits = new AtomicInteger();
    public final AtomicInteger written = new AtomicInteger();
    public JdbcStore store;
    public JdbcStore narrow;
    public Ports ports;
    public Ports narrowPorts;

    /** A new database. */
    public abstract String url();

    @BeforeAll
    void open() {
        DatabaseConfig config = TestStores.config(url(), clock)
                .observedBy((changes, events, took) -> {
                    commits.incrementAndGet();
                    written.addAndGet(events);
                })
                .withPatience(Duration.ofSeconds(2));
        store = JdbcStore.open(config, wire);
        ports = TestStores.ports(store, signer);
        narrow = JdbcStore.open(config.withLanes(1, QUEUE));
        narrowPorts = TestStores.ports(narrow, signer);
    }

    @AfterAll
    void close() {
        store.close();
        narrow.close();
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public SettableClock clock() {
        return clock;
    }

    @Override
    public SigningKey signingKey() {
        return signer.key();
    }

    public JdkSigner signer() {
        return signer;
    }

    public DatabaseConfig config(String url) {
        return TestStores.config(url, clock);
    }

    /** The URL of the open store again. */
    public abstract String url(JdbcStore open);

    public abstract void execute(String sql);

    /** A change that records one decision and nothing else, and so can be appended. */
    public static <R> Change<R> deciding(AgentKeyId key, Function<Account, Outcome<R>> what) {
        return new Change<>() {
            @Override
            public LoadSpec needs() {
                return LoadSpec.tally(key);
            }

            @Override
            public int maxDecisions() {
                return 1;
            }

            @Override
            public Outcome<R> apply(Account account) {
                return what.apply(account);
            }
        };
    }

    public static Change<Long> counting(AgentKeyId key) {
        return deciding(key, account -> {
            Tally tally = account.tally(key).plusCall();
            return new Outcome.Recording()
                    .tally(key, tally)
                    .event(StoreSamples.decided(key, true, account.now()))
                    .answer(receipts -> receipts.get(0).seq());
        });
    }

    public static CompletionStage<Long> counted(Ports ports, UserId user, AgentKeyId key) {
        return ports.accounts().change(user, counting(key));
    }

    /** The same, but locked, so that the snapshot is written too. */
    public static CompletionStage<Long> countedLocked(Ports ports, UserId user, AgentKeyId key) {
        return ports.accounts().change(user, StoreSamples.change(LoadSpec.tally(key), counting(key)::apply));
    }

    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
