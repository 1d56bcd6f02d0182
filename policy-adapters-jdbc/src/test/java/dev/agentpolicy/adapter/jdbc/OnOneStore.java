package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreContract;
import dev.agentpolicy.domain.port.StoreSamples;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Tests of one store, each on a file of its own. */
public abstract class OnOneStore implements StoreContract {
    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final JdkSigner signer = new JdkSigner();
    private @Nullable JdbcStore store;
    private @Nullable Ports ports;

    /** Opens a store; the one before must be closed. */
    public final void open(String url) {
        JdbcStore opened = JdbcStore.open(TestStores.config(url, clock));
        store = opened;
        ports = TestStores.ports(opened, signer);
    }

    @AfterEach
    public final void close() {
        Objects.requireNonNull(store).close();
    }

    @Override
    public final Ports ports() {
        return Objects.requireNonNull(ports);
    }

    @Override
    public final SettableClock clock() {
        return clock;
    }

    @Override
    public final SigningKey signingKey() {
        return signer.key();
    }
}
