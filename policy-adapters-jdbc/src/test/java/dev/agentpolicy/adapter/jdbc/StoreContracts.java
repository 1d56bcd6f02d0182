package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.port.AccountReaderContract;
import dev.agentpolicy.domain.port.AccountsContract;
import dev.agentpolicy.domain.port.AgentKeysContract;
import dev.agentpolicy.domain.port.EventLogContract;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.RequestQueueContract;
import dev.agentpolicy.domain.port.Samples;
import dev.agentpolicy.domain.port.SessionsContract;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.UsersContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contracts of all ports, kept by one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreContracts
        implements AccountsContract,
                AccountReaderContract,
                EventLogContract,
                AgentKeysContract,
                RequestQueueContract,
                UsersContract,
                SessionsContract {
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
