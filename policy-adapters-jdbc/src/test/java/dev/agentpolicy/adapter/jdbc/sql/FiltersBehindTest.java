package dev.agentpolicy.adapter.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.OnOneStore;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On H2 events are added to the index of filters later, and are found all the same. */
class FiltersBehindTest extends OnOneStore {
    private static final String LAST_BEFORE = "24";
    private static final int STRIDE = 32;

    private final UserId user = StoreSamples.user();

    @TempDir
    Path folder;

    private String url = "";

    @BeforeEach
    void open() {
        url = TestStores.h2(folder);
        open(url);
    }

    @Test
    void an_account_is_added_to_the_index_every_thirty_two_events() {
        AgentKeyId key = mint(user).id();
        for (int i = 1; i <= 3 * STRIDE; i++) {
            decide(user, key, true);

            assertThat(i - indexed()).isBetween(0L, STRIDE - 1L);
        }
        assertThat(number("SELECT count(*) FROM event_filter")).isEqualTo(indexed());
        assertThat(number("SELECT count(*) FROM information_schema.indexes WHERE index_name = 'POLICY_EVENT_FILTER'"))
                .isZero();
    }

    @Test
    void accounts_that_grow_alike_do_not_all_have_their_turn_at_once() {
        List<UserId> users =
                IntStream.range(0, 20).mapToObj(i -> StoreSamples.user()).toList();
        users.forEach(each -> {
            AgentKeyId key = StoreSamples.key(each).id();
            IntStream.range(0, STRIDE).forEach(i -> decide(each, key, true));
        });

        assertThat(number("SELECT count(DISTINCT seq) FROM event_filter_end")).isGreaterThan(3);
    }

    /** As when an older version wrote to the file in between, which knows nothing of the index. */
    @Test
    void what_is_missing_in_the_index_is_found_and_added() {
        AgentKeyId key = decisions(3 * STRIDE);
        execute("DELETE FROM event_filter WHERE seq > 10", "UPDATE event_filter_end SET seq = 10");

        assertFound(key, 3 * STRIDE);
        IntStream.range(0, STRIDE).forEach(i -> decide(user, key, true));

        assertThat(indexed()).isGreaterThan(3 * STRIDE);
        assertFound(key, 4 * STRIDE);
    }

    @Test
    void a_file_from_before_is_brought_up_to_date() throws SQLException {
        AgentKeyId key = decisions(STRIDE + 3);
        close();
        String older = TestStores.h2(folder.resolve("older"));
        copyTo(older);

        url = older;
        open(url);

        assertThat(indexed()).isEqualTo(STRIDE + 3);
        assertFound(key, STRIDE + 3);
        decide(user, key, false);
        assertThat(found(key, null)).first().isEqualTo(STRIDE + 4L);
    }

    /** Takes the rows of the store to a file of the version before. */
    private void copyTo(String older) throws SQLException {
        Dialect dialect = Dialect.of(older);
        Connections.flyway(dialect, dialect.url(older), TestStores.config(older, clock()))
                .target(LAST_BEFORE)
                .load()
                .migrate();
        try (Connection connection = DriverManager.getConnection(dialect.url(older), "sa", "");
                Statement statement = connection.createStatement()) {
            for (String table : List.of("account", "policy_event")) {
                statement.execute("CREATE LINKED TABLE from_" + table + "('', '" + dialect.url(url) + "', 'sa', '', '"
                        + table.toUpperCase(Locale.ROOT) + "')");
                String columns = columns(connection, table);
                statement.execute(
                        "INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM from_" + table);
                statement.execute("DROP TABLE from_" + table);
            }
        }
    }

    private static String columns(Connection connection, String table) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet columns =
                connection.getMetaData().getColumns(null, null, table.toUpperCase(Locale.ROOT), null)) {
            while (columns.next()) {
                names.add(columns.getString("COLUMN_NAME"));
            }
        }
        return String.join(", ", names);
    }

    /** Makes a chain of nothing but decisions of one key, every fourth blocked. */
    private AgentKeyId decisions(int count) {
        AgentKeyId key = StoreSamples.key(user).id();
        IntStream.rangeClosed(1, count).forEach(i -> decide(user, key, i % 4 > 0));
        return key;
    }

    private void assertFound(AgentKeyId key, int decisions) {
        assertThat(chain(user))
                .hasSize(decisions)
                .extracting(PolicyEvent::payload)
                .doesNotContainNull();
        assertThat(found(key, null)).hasSize(Math.min(decisions, 100)).first().isEqualTo((long) decisions);
        assertThat(found(key, false)).contains(4L, 8L, 12L, 16L, 20L, 24L, 28L, 32L);
    }

    private List<Long> found(AgentKeyId key, @Nullable Boolean allowed) {
        return ports().eventLog().decisions(user, new AuditQuery(100, key, allowed, null)).stream()
                .map(it -> it.event().seq())
                .toList();
    }

    /** The last place of the chain that is in the index. */
    private long indexed() {
        return number("SELECT coalesce(max(seq), 0) FROM event_filter_end WHERE user_id = '" + user.value() + "'");
    }

    private long number(String sql) {
        return TestStores.number(url, sql);
    }

    private void execute(String... all) {
        try (Connection connection = DriverManager.getConnection(Dialect.of(url).url(url), "sa", "");
                Statement statement = connection.createStatement()) {
            for (String sql : all) {
                statement.execute(sql);
            }
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
    }
}
