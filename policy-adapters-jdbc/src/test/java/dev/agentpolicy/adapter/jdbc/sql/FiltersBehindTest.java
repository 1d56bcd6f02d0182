package dev.agentpolicy.adapter.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.OnOneStore;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.port.Samples;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On H2 events are added to the index of filters later, and are found all the same. */
class FiltersBehindTest extends OnOneStore {
    private static final int STRIDE = 32;

    private final UserId user = Samples.user();

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
                IntStream.range(0, 20).mapToObj(i -> Samples.user()).toList();
        users.forEach(each -> {
            AgentKeyId key = Samples.key(each).id();
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

    /** Makes a chain of nothing but decisions of one key, every fourth blocked. */
    private AgentKeyId decisions(int count) {
        AgentKeyId key = Samples.key(user).id();
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
