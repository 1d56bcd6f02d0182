package dev.agentpolicy.adapter.jdbc.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.connect.Connections;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.dialect.CitusDialect;
import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DistributionTest {
    private final String url = TestPostgres.emptyDatabase();
    private final DatabaseConfig config = TestStores.config(url, InstantSource.system());

    @Test
    void a_server_without_citus_is_refused_and_left_as_it_is() throws SQLException {
        assumeFalse(TestPostgres.isDistributed());

        assertThatThrownBy(() -> Distribution.of(config, 4))
                .isInstanceOf(UnusableDatabase.class)
                .hasMessageContaining("no extension citus");
        assertThatThrownBy(() -> Distribution.of(config, 0)).hasMessageContaining("between 1 and 128");
        assertThat(tables()).isEmpty();
        assertThat(Connections.dialect(config)).isExactlyInstanceOf(PostgresDialect.class);
    }

    /** A new table must get its place: without one, the schema could not be distributed any more. */
    @Test
    void every_table_of_the_schema_has_a_place() throws SQLException {
        Connections.migrate(config);

        List<String> known = Stream.of(Distribution.BY_USER, Distribution.ON_COORDINATOR)
                .flatMap(List::stream)
                .filter(table -> !table.equals("rate_window"))
                .toList();
        assertThat(tables()).containsExactlyInAnyOrderElementsOf(known);
    }

    /** Rows are found by their user first; only then can they be placed by it. */
    @Test
    void the_key_of_each_table_that_is_distributed_by_user_begins_with_the_user() throws SQLException {
        Connections.migrate(config);

        for (String table : Distribution.BY_USER) {
            assertThat(texts("SELECT a.attname FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid"
                            + " AND a.attnum = c.conkey[1] WHERE c.contype = 'p' AND c.conrelid = '" + table
                            + "'::regclass"))
                    .as(table)
                    .containsExactly("user_id");
        }
    }

    @Test
    void a_distributed_schema_is_known_at_the_next_start_and_nothing_is_left_to_do() {
        assumeTrue(TestPostgres.isDistributed());

        assertThat(Connections.dialect(config)).isInstanceOf(CitusDialect.class);
        assertThat(Distribution.of(config, 4).words()).isEmpty();
    }

    @Test
    void a_distribution_that_was_interrupted_is_continued() throws SQLException {
        assumeTrue(TestPostgres.isDistributed());
        execute("SELECT undistribute_table('paper_order')");
        execute("SELECT undistribute_table('agent_key')");
        assertThatThrownBy(() -> Connections.dialect(config)).hasMessageContaining("run: schema distribute");

        List<String> done = new ArrayList<>();
        Distribution.of(config, 4).run(done::add);

        assertThat(done)
                .containsExactly(
                        "distribute paper_order by user",
                        "note the users of credentials, and distribute agent_key by user",
                        "set lock_timeout to 2 seconds for this database on every node");
        assertThat(Distribution.of(config, 4).words()).isEmpty();
    }

    /** Earlier versions copied four tables to every node. */
    @Test
    void what_an_earlier_version_distributed_is_migrated_with_all_rows() throws SQLException {
        assumeTrue(TestPostgres.isDistributed());
        execute("SELECT undistribute_table('agent_key'); ALTER TABLE agent_key ADD UNIQUE (credential_hash),"
                + " ADD UNIQUE (previous_hash)");
        for (String table : List.of("signing_key", "app_user", "app_session", "agent_key")) {
            execute("SELECT create_reference_table('" + table + "')");
        }
        execute("INSERT INTO signing_key(kid, x, purpose, status, valid_from, attestations)"
                + " SELECT 'k' || n, 'x', 'event', 'retired', now(), '' FROM generate_series(1, 5) AS n");
        execute("INSERT INTO app_user(user_id, email, password_hash, created_at)"
                + " SELECT gen_random_uuid(), n || '@example.com', 'h', now() FROM generate_series(1, 50) AS n");
        execute("INSERT INTO agent_key(user_id, agent_key_id, name, key_type, scopes, policy, paused, networks,"
                + " credential_hash, previous_hash, last4, created_at) SELECT user_id, gen_random_uuid(), 'n', 'live', '', '{}',"
                + " FALSE, '', 'now of ' || email, CASE WHEN email LIKE '1%' THEN 'before of ' || email END, '1234', now()"
                + " FROM app_user");
        List<String> before = rows();

        Distribution.of(config, 4).run(done -> {});

        assertThat(rows()).isEqualTo(before);
        assertThat(texts("SELECT count(*) FROM agent_key k JOIN key_route r ON r.user_id = k.user_id"
                        + " AND r.credential_hash IN (k.credential_hash, k.previous_hash)"))
                .containsExactly("61");
        execute("INSERT INTO signing_key(kid, x, purpose, status, valid_from, attestations)"
                + " VALUES ('k6', 'x', 'event', 'retired', now(), '')");
        assertThat(texts("SELECT id FROM signing_key WHERE kid = 'k6'")).containsExactly("6");
        assertThat(Distribution.of(config, 4).words()).isEmpty();
        assertThat(Connections.dialect(config)).isInstanceOf(CitusDialect.class);
    }

    private List<String> rows() throws SQLException {
        List<String> rows = new ArrayList<>();
        for (String table : List.of("signing_key", "app_user", "agent_key")) {
            rows.addAll(texts("SELECT CAST(t AS text) FROM " + table + " t ORDER BY 1"));
        }
        return rows;
    }

    @Test
    void what_is_not_of_the_service_is_refused() throws SQLException {
        assumeTrue(TestPostgres.isDistributed());
        execute("CREATE TABLE mine (id integer)");
        assertThatThrownBy(() -> Distribution.of(config, 4)).hasMessageContaining("mine");
        execute("DROP TABLE mine");
        execute("SELECT undistribute_table('paper_order')");
        execute("SELECT create_distributed_table('paper_order', 'custodian_id')");
        assertThatThrownBy(() -> Distribution.of(config, 4))
                .hasMessageContaining("paper_order is distributed in another way");
    }

    private void execute(String sql) {
        TestPostgres.execute(url, sql);
    }

    private List<String> tables() throws SQLException {
        return texts("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    }

    private List<String> texts(String sql) throws SQLException {
        try (Connection connection = Connections.once(config)) {
            return Reads.list(connection, sql, row -> row.getString(1));
        }
    }
}
