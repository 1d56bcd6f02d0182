package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.Samples;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreContract;
import java.nio.file.Path;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An H2 file is kept as small as what is in it allows, while it is open. */
class H2FileTest implements StoreContract {
    private static final int DECISIONS = 1_000;

    private final SettableClock clock = new SettableClock(Samples.START);
    private final JdkSigner signer = new JdkSigner();
    private final UserId user = Samples.user();

    @TempDir
    Path folder;

    private JdbcStore store;
    private Ports ports;

    @BeforeEach
    void open() {
        store = JdbcStore.open(TestStores.config(TestStores.h2(folder) + ";RETENTION_TIME=0", clock));
        ports = TestStores.ports(store, signer);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Each is a commit of its own, and leaves a part of the file of which its row is soon all that is in use. */
    @Test
    void what_is_in_use_of_old_parts_is_put_together() {
        AgentKeyId key = mint(user).id();
        for (int i = 0; i < DECISIONS; i++) {
            decide(user, key, true);
        }
        assertThat(chain(user))
                .hasSize(DECISIONS)
                .extracting(PolicyEvent::payload)
                .doesNotContainNull();
        store.close();

        assertThat(parts()).isLessThan(DECISIONS / 4);
    }

    private long parts() {
        try (MVStore file = new MVStore.Builder()
                .fileName(folder.resolve("new").resolve("policy.mv.db").toString())
                .readOnly()
                .open()) {
            return file.getLayoutMap().keySet().stream()
                    .filter(name -> name.startsWith("chunk."))
                    .count();
        }
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
