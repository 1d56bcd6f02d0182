package dev.agentpolicy.adapter.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What the connections of the lanes are told stays with them. */
class ConnectionsTest {

    @Test
    void a_rollback_undoes_no_greeting() throws SQLException {
        DatabaseConfig config = TestStores.config(TestPostgres.freshDatabase(), new SettableClock(StoreSamples.START));
        try (HikariDataSource lanes = new Connections(config, Dialect.of(config.url())).lanes();
                Connection connection = lanes.getConnection()) {
            connection.rollback();

            assertThat(TestStores.number(
                            connection,
                            "SELECT count(*) FROM pg_settings WHERE name = 'lock_timeout' AND setting = '2000'"
                                    + " OR name = 'plan_cache_mode' AND setting = 'force_generic_plan'"
                                    + " OR name IN ('enable_seqscan', 'enable_hashjoin') AND setting = 'off'"))
                    .isEqualTo(4);
        }
    }
}
