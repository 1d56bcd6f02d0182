package dev.agentpolicy.adapter.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the connections of the lanes are told stays with them, and they stay until they are lost. */
class ConnectionsTest {

    /** As the coordinator of a cluster reports that a worker is away. */
    private static final String REPORT =
            "DO $$ BEGIN RAISE EXCEPTION 'the worker is away' USING ERRCODE = 'connection_failure'; END $$";

    @Test
    void a_connection_stays_that_reports_a_lost_one_and_is_replaced_when_it_is_lost_itself() throws SQLException {
        DatabaseConfig config = TestStores.config(TestPostgres.freshDatabase(), new SettableClock(StoreSamples.START));
        try (HikariDataSource lanes = new Connections(config.withLanes(1, 10), Dialect.of(config.url())).lanes()) {
            long first = session(lanes);

            assertThatThrownBy(() -> execute(lanes, REPORT)).hasMessageContaining("the worker is away");
            assertThat(session(lanes)).isEqualTo(first);

            assertThatThrownBy(() -> execute(lanes, "SELECT pg_terminate_backend(pg_backend_pid())"))
                    .isInstanceOf(SQLException.class);
            assertThat(session(lanes)).isNotEqualTo(first);
        }
    }

    private static void execute(HikariDataSource lanes, String sql) throws SQLException {
        try (Connection connection = lanes.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long session(HikariDataSource lanes) throws SQLException {
        try (Connection connection = lanes.getConnection()) {
            return TestStores.number(connection, "SELECT pg_backend_pid()");
        }
    }

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

    /** Workers of a cluster are reached like its coordinator, at other servers. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db:5432/policy?sslmode=verify-full, jdbc:postgresql://w:1/policy?sslmode=verify-full",
        "'jdbc:postgresql://one,[::1]:5432/policy', jdbc:postgresql://w:1/policy",
        "jdbc:postgresql:policy, jdbc:postgresql://w:1/policy",
        "jdbc:postgresql:/, jdbc:postgresql://w:1/",
        "jdbc:postgresql://db?user=a, jdbc:postgresql://w:1/?user=a",
    })
    void the_url_of_another_server_keeps_the_database_and_the_parameters(String url, String other) {
        assertThat(PostgresDialect.urlOf(url, "w:1")).isEqualTo(other);
    }
}
