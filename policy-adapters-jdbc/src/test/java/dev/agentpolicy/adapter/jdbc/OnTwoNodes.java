package dev.agentpolicy.adapter.jdbc;

import static dev.agentpolicy.adapter.jdbc.OnLanes.counted;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two nodes on one PostgreSQL; the first has one lane, and remembers an account with two decisions of a key. */
public abstract class OnTwoNodes {
    public final String url = TestPostgres.freshDatabaseOfOneLane();
    public final SettableClock clock = new SettableClock(StoreSamples.START);
    private final JdkSigner signer = new JdkSigner();
    public final FaultyWire wire = new FaultyWire();
    private final JdbcStore oneStore =
            JdbcStore.open(TestStores.config(url, clock).withLanes(1, 1000), wire);
    private final JdbcStore twoStore = JdbcStore.open(TestStores.config(url, clock));
    public final Ports one = TestStores.ports(oneStore, signer);
    public final Ports two = TestStores.ports(twoStore, signer);
    public final UserId user = StoreSamples.user();
    public final AgentKey key = StoreSamples.key(user);

    @BeforeEach
    void remember() {
        done(one, LoadSpec.NOTHING, account -> new Recording().key(key).answer(receipts -> true));
        count(one);
        count(one);
    }

    @AfterEach
    void close() {
        oneStore.close();
        twoStore.close();
    }

    public void count(Ports node) {
        counted(node, user, key.id()).toCompletableFuture().join();
    }

    public long calls(Ports node) {
        return tally(node).calls();
    }

    public Tally tally(Ports node) {
        AgentKeyId id = key.id();
        return done(node, LoadSpec.tally(id), account -> Outcome.nothing(account.tally(id)));
    }

    /** Makes a change that can be appended. */
    public <R> R decided(Ports node, Function<Account, Outcome<R>> what) {
        return node.accounts()
                .change(user, OnLanes.deciding(key.id(), what))
                .toCompletableFuture()
                .join();
    }

    public <R> R done(Ports node, LoadSpec needs, Function<Account, Outcome<R>> what) {
        return node.accounts()
                .change(user, StoreSamples.change(needs, what))
                .toCompletableFuture()
                .join();
    }
}
