package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.event.page.EventScan;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EveryPortContract;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contracts of all ports, kept by one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreContracts implements EveryPortContract {
    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final JdkSigner signer = new JdkSigner();
    private DatabaseConfig config;
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
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        decide(user, key, true);
        decide(user, key, true);
        AuditQuery all = AuditQuery.latest(25);
        AuditQuery ofKey = new AuditQuery(25, key, null, null);
        assertThat(chain(user)).extracting(PolicyEvent::payload).doesNotContainNull();
        assertThat(ports.eventLog().decisions(user, all))
                .hasSize(2)
                .isEqualTo(ports.eventLog().decisions(user, ofKey));

        execute("UPDATE policy_event SET payload_canonical = NULL WHERE user_id = ? AND seq = 1", user);

        assertThat(chain(user).get(0).payload()).isNull();
        assertThat(chain(user).get(1).payload()).isNotNull();
        assertThat(ports.eventLog().decisions(user, all))
                .extracting(logged -> logged.event().seq())
                .containsExactly(2L);
        assertThat(ports.eventLog().decisions(user, ofKey)).hasSize(1);
    }

    @Test
    void a_payload_set_to_null_by_a_statement_has_no_entry_and_cannot_get_one_afterwards() throws SQLException {
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        decide(user, key, true);
        decide(user, key, false);
        EventLog log = ports.eventLog();
        log.headedPage(user, EventQuery.all());

        execute("UPDATE policy_event SET payload_canonical = NULL WHERE user_id = ? AND seq = 2", user);

        EventLog.PageWithHead page = log.headedPage(user, EventQuery.all());
        assertThat(new String(page.page().rows(), StandardCharsets.UTF_8)).containsOnlyOnce("\"payload\":null");
        assertThat(page.page().erasures()).isEmpty();
        ErasePayloads erase = new ErasePayloads(log, store.erasures(), signer, clock);
        assertThat(erase.eraseRow(user, 2, "to hide it")).isInstanceOf(ErasePayloads.NotErased.class);
        assertThat(log.page(user, EventQuery.all()).erasures()).isEmpty();
    }

    @Test
    void pages_and_the_feed_show_an_erasure_of_another_node_at_once() {
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        decide(user, key, true);
        decide(user, key, true);
        EventLog log = ports.eventLog();
        log.headedPage(user, EventQuery.all());
        assertThat(log.decisions(user, AuditQuery.latest(2))).hasSize(2);

        new ErasePayloads(log, store.erasures(), signer, clock).eraseRow(user, 1, "a mistake");

        assertThat(log.headedPage(user, EventQuery.all()).page().erasures()).contains("a mistake");
        assertThat(log.decisions(user, AuditQuery.latest(2))).hasSize(1);
    }

    /** Of the rows of a page, a third of them large ones, as many are read as fit into memory together. */
    @Test
    void a_page_or_a_scan_of_large_rows_is_short_and_is_continued_without_a_gap() {
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        EventDraft large = new EventDraft(EventKind.IPS_AMENDED, Map.of("text", "x".repeat(60_000)));
        for (int i = 0; i < 150; i++) {
            EventDraft next = i % 3 == 2 ? large : StoreSamples.decided(key, i % 3 == 0, clock.instant());
            record(user, account -> new Recording().event(next));
        }
        EventLog log = ports.eventLog();
        for (Direction order : Direction.values()) {
            for (Optional<EventKind> kind : List.of(Optional.<EventKind>empty(), Optional.of(EventKind.IPS_AMENDED))) {
                Optional<EventQuery> query =
                        Optional.of(new EventQuery(500, order, kind, Optional.empty(), OptionalLong.empty()));
                List<PolicyEvent> found = new ArrayList<>();
                while (query.isPresent()) {
                    EventPage page = log.page(user, query.get());
                    assertThat(page.rows().stream()
                                    .mapToLong(row -> row.payload().length()))
                            .hasSizeBetween(1, 149)
                            .satisfies(sizes -> assertThat(
                                            sizes.stream().mapToLong(it -> it).sum())
                                    .isLessThanOrEqualTo(2 * 1024 * 1024));
                    found.addAll(page.rows());
                    query = Optional.ofNullable(page.nextCursor()).flatMap(query.get()::after);
                }
                assertThat(found).hasSize(kind.isPresent() ? 50 : 150).doesNotHaveDuplicates();
            }
        }
        for (EventScan scan : List.of(
                EventScan.all(500),
                new EventScan(1, Long.MAX_VALUE, 500, false, true, null, null),
                new EventScan(1, Long.MAX_VALUE, 500, true, true, null, true))) {
            List<Long> found = new ArrayList<>();
            List<ScannedRow> rows = log.scan(user, scan);
            while (!rows.isEmpty()) {
                rows.forEach(row -> found.add(row.seq()));
                rows = log.scan(user, scan.continued(found.get(found.size() - 1), 500));
            }
            assertThat(found).hasSize(scan.decisions() ? scan.allowed() == null ? 150 : 100 : 50);
            assertThat(found).isSortedAccordingTo(Comparator.reverseOrder()).doesNotHaveDuplicates();
        }
    }

    /** Nobody may touch a row; if somebody does, whoever reads the chain sees so, also when it was read before. */
    @Test
    void pages_of_the_chain_show_what_is_stored() throws SQLException {
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        for (int i = 0; i < 6; i++) {
            decide(user, key, true);
        }
        EventLog log = store.eventLog();
        assertThat(chain(user)).hasSize(6);
        execute("DELETE FROM policy_event WHERE user_id = ? AND seq = 2", user);
        execute("UPDATE policy_event SET payload_canonical = '{}' WHERE user_id = ? AND seq = 3", user);
        EventQuery three =
                new EventQuery(3, EventQuery.Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty());

        EventPage page = log.page(user, three);
        assertThat(page.rows()).extracting(PolicyEvent::seq).containsExactly(1L, 3L, 4L);
        assertThat(page.rows().get(1).payload()).isEqualTo("{}");
        EventPage next = log.page(user, three.after(page.nextCursor()).orElseThrow());
        assertThat(next.rows()).extracting(PolicyEvent::seq).containsExactly(5L, 6L);
        assertThat(next.nextCursor()).isNull();
    }

    @Test
    void the_calls_of_days_that_are_over_are_forgotten_and_those_of_today_and_yesterday_are_not() {
        UserId user = StoreSamples.user();
        AgentKeyId key = StoreSamples.key(user).id();
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        for (int ago = 0; ago < 4; ago++) {
            answer(store.dailyCalls().count(user, key, today.minusDays(ago), 5));
        }

        assertThat(store.removeOldDailyCalls(clock.instant())).isGreaterThanOrEqualTo(2);

        assertThat(IntStream.range(0, 4).mapToLong(ago -> store.dailyCalls().counted(user, key, today.minusDays(ago))))
                .containsExactly(1L, 1L, 0L, 0L);
        assertThat(store.removeOldDailyCalls(clock.instant())).isZero();
    }

    @Test
    void of_past_days_the_last_portfolio_revision_is_kept_and_of_the_last_days_all() {
        UserId user = StoreSamples.user();
        UserId idle = StoreSamples.user();
        Instant now = Instant.parse("2026-11-21T09:40:00Z");
        Instant old = now.minus(Duration.ofDays(3));
        List<Instant> times = List.of(
                old.minus(Duration.ofDays(1)),
                old.minusSeconds(60),
                old,
                old.plusSeconds(60),
                now.minus(Duration.ofDays(2)),
                now.minus(Duration.ofDays(2)).plusSeconds(60),
                now,
                now.plusSeconds(60));
        for (int i = 0; i < times.size(); i++) {
            Portfolio revision = StoreSamples.portfolio(i + 1L, "1", times.get(i));
            record(user, account -> new Recording().portfolio(revision));
        }
        record(idle, account -> new Recording().portfolio(StoreSamples.portfolio(1, "1", old)));
        record(idle, account -> new Recording().portfolio(StoreSamples.portfolio(2, "2", old)));

        // Other tests leave revisions in the same database.
        assertThat(store.removeOldRevisions(now)).isGreaterThanOrEqualTo(3);
        assertThat(store.removeOldRevisions(now)).isZero();

        assertThat(TestStores.number(
                        config.url(),
                        "SELECT count(*) FROM portfolio_revision WHERE revision NOT IN (2, 3) AND user_id = '" + user
                                + "'"))
                .isEqualTo(6);
        assertThat(ports.accountReader().portfolioHistory(user, Instant.EPOCH))
                .extracting(PortfolioDay::asOf)
                .containsExactly(times.get(0), times.get(3), times.get(5), times.get(7));
        assertThat(ports.accountReader().portfolioAt(user, old.plusSeconds(30)))
                .map(Portfolio::revision)
                .contains(1L);
        assertThat(ports.accountReader().portfolioAt(user, now.plusSeconds(30)))
                .map(Portfolio::revision)
                .contains(7L);
        assertThat(Objects.requireNonNull(ports.accountReader().view(idle).portfolio())
                        .revision())
                .isEqualTo(2);
        assertThat(store.removeOldRevisions(now.plus(Duration.ofDays(1)))).isPositive();
        assertThat(store.removeOldRevisions(now.plus(Duration.ofDays(3)))).isPositive();
    }

    public final void execute(String sql, UserId user) throws SQLException {
        try (Connection connection = DriverManager.getConnection(config.url(), config.user(), config.password());
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, user.value());
            statement.executeUpdate();
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
