package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.AuditQuery;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.port.EveryPortContract;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.Samples;
import dev.agentpolicy.domain.port.SettableClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contracts of all ports, kept by one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StoreContracts implements EveryPortContract {
    private final SettableClock clock = new SettableClock(Samples.START);
    private final JdkSigner signer = new JdkSigner();
    private JdbcStore.Config config;
    private JdbcStore store;
    private Ports ports;

    /** A new database. */
    abstract String url();

    @BeforeAll
    void open() {
        config = TestStores.config(url(), clock);
        store = JdbcStore.open(config);
        ports = TestStores.ports(store, signer);
    }

    @AfterAll
    void close() {
        store.close();
    }

    /** Rows that were read are remembered; their payloads may still be erased, by whoever may, with a statement. */
    @Test
    void an_erased_payload_is_told_no_more() throws SQLException {
        UserId user = Samples.user();
        AgentKeyId key = mint(user).id();
        decide(user, key, true);
        decide(user, key, true);
        AuditQuery all = new AuditQuery(25, null, null, null);
        AuditQuery ofKey = new AuditQuery(25, key, null, null);
        assertThat(chain(user)).extracting(PolicyEvent::payload).doesNotContainNull();
        assertThat(ports.eventLog().decisions(user, all))
                .hasSize(2)
                .isEqualTo(ports.eventLog().decisions(user, ofKey));

        try (Connection connection = DriverManager.getConnection(config.url(), config.user(), config.password());
                PreparedStatement erase = connection.prepareStatement(
                        "UPDATE policy_event SET payload_canonical = NULL WHERE user_id = ? AND seq = 1")) {
            erase.setObject(1, user.value());
            erase.executeUpdate();
        }

        assertThat(chain(user).get(0).payload()).isNull();
        assertThat(chain(user).get(1).payload()).isNotNull();
        assertThat(ports.eventLog().decisions(user, all))
                .extracting(logged -> logged.event().seq())
                .containsExactly(2L);
        assertThat(ports.eventLog().decisions(user, ofKey)).hasSize(1);
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
