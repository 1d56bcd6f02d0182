package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.port.EveryPortContract;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.Samples;
import dev.agentpolicy.domain.port.SettableClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contracts of all ports, kept by one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreContracts implements EveryPortContract {
    private final SettableClock clock = new SettableClock(Samples.START);
    private final JdkSigner signer = new JdkSigner();
    private JdbcStore store;
    private Ports ports;

    /** A new database. */
    abstract String url();

    @BeforeAll
    void open() {
        store = JdbcStore.open(TestStores.config(url(), clock));
        ports = TestStores.ports(store, signer);
    }

    @AfterAll
    void close() {
        store.close();
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
}
