package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.DailyUsage;
import dev.agentpolicy.domain.usage.UsageReport.KeyCount;
import dev.agentpolicy.domain.usage.UsageReport.PathCount;
import dev.agentpolicy.domain.usage.UsageReport.Totals;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of {@link CallLog}. */
public interface CallLogContract {
    LocalDate TODAY = LocalDate.of(2026, 11, 21);
    LocalDate WEEK_AGO = TODAY.minusDays(6);
    Instant NOON = Instant.parse("2026-11-21T12:00:00.000001Z");
    AgentKeyId KEY = key(1);

    CallLog calls();

    /** The same log on another node. */
    CallLog otherNode();

    @Test
    default void without_calls_every_day_is_reported_as_zero() {
        UsageReport report = calls().report(user(), WEEK_AGO, TODAY);

        assertThat(report)
                .isEqualTo(new UsageReport(
                        Instant.parse("2026-11-15T00:00:00Z"),
                        new Totals(0, 0, 0, 0),
                        WEEK_AGO.datesUntil(TODAY.plusDays(1))
                                .map(day -> new DailyUsage(day, 0, 0))
                                .toList(),
                        List.of(),
                        List.of(),
                        List.of()));
    }

    @Test
    default void a_call_is_reported_at_once_on_the_node_that_recorded_it() {
        UserId user = user();
        CallRecord call = new CallRecord(user, KEY, "/api/agent/v1/whoami", 200, 12_345, NOON);
        calls().record(call);

        UsageReport report = calls().report(user, TODAY, TODAY);

        assertThat(report)
                .isEqualTo(new UsageReport(
                        Instant.parse("2026-11-21T00:00:00Z"),
                        new Totals(1, 0, 12, 12),
                        List.of(new DailyUsage(TODAY, 1, 0)),
                        List.of(new PathCount("/api/agent/v1/whoami", 1)),
                        List.of(new KeyCount(KEY, 1)),
                        List.of(call)));
    }

    @Test
    default void a_status_of_400_or_more_counts_as_an_error() {
        UserId user = user();
        IntStream.of(200, 304, 399, 400, 401, 429, 503)
                .forEach(status ->
                        calls().record(new CallRecord(user, KEY, "/a", status, 1_000, NOON.plusSeconds(status))));

        UsageReport report = calls().report(user, TODAY, TODAY);

        assertThat(report.totals().total()).isEqualTo(7);
        assertThat(report.totals().errors()).isEqualTo(4);
        assertThat(report.series()).containsExactly(new DailyUsage(TODAY, 7, 4));
    }

    @Test
    default void days_begin_at_midnight_utc_and_only_those_in_the_window_count() {
        UserId user = user();
        Stream.of(
                        "2026-11-18T23:59:59.999999Z",
                        "2026-11-19T00:00:00.000000Z",
                        "2026-11-19T23:59:59.999999Z",
                        "2026-11-20T12:00:00.000000Z",
                        "2026-11-21T00:00:00.000000Z")
                .forEach(at -> calls().record(new CallRecord(user, KEY, "/a", 200, 1_000, Instant.parse(at))));

        UsageReport report = calls().report(user, TODAY.minusDays(2), TODAY.minusDays(1));

        assertThat(report.series())
                .containsExactly(new DailyUsage(TODAY.minusDays(2), 2, 0), new DailyUsage(TODAY.minusDays(1), 1, 0));
        assertThat(report.totals().total()).isEqualTo(3);
        assertThat(report.topPaths()).containsExactly(new PathCount("/a", 3));
        assertThat(report.topKeys()).containsExactly(new KeyCount(KEY, 3));
    }

    @Test
    default void the_ten_most_called_come_first_and_ties_are_ordered_by_name() {
        UserId user = user();
        for (int i = 11; i >= 0; i--) {
            for (int times = 0; times < 1 + i / 3; times++) {
                calls().record(new CallRecord(user, key(i), "/path-" + (char) ('a' + i), 200, 1_000, NOON));
            }
        }

        UsageReport report = calls().report(user, WEEK_AGO, TODAY);

        assertThat(report.topPaths())
                .extracting(PathCount::path)
                .containsExactly(
                        "/path-j", "/path-k", "/path-l", "/path-g", "/path-h", "/path-i", "/path-d", "/path-e",
                        "/path-f", "/path-a");
        assertThat(report.topPaths())
                .extracting(PathCount::count)
                .containsExactly(4L, 4L, 4L, 3L, 3L, 3L, 2L, 2L, 2L, 1L);
        assertThat(report.topKeys())
                .extracting(KeyCount::agentKeyId)
                .containsExactly(key(9), key(10), key(11), key(6), key(7), key(8), key(3), key(4), key(5), key(0));
    }

    @Test
    default void the_last_ten_calls_are_reported_newest_first() {
        UserId user = user();
        List<CallRecord> noted = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            noted.add(0, new CallRecord(user, key(i), "/" + i, 200 + i, i * 1_001L, NOON.plusMillis(i)));
            (i % 2 == 0 ? calls() : otherNode()).record(noted.get(0));
        }
        calls().report(user, TODAY, TODAY);

        assertThat(otherNode().report(user, TODAY, TODAY).recent()).isEqualTo(noted.subList(0, 10));
        assertThat(calls().report(user, TODAY, TODAY).recent()).isEqualTo(noted.subList(0, 10));
    }

    @Test
    default void users_do_not_see_the_calls_of_others() {
        UserId one = user();
        UserId two = user();
        calls().record(new CallRecord(one, KEY, "/one", 200, 1_000, NOON));
        calls().record(new CallRecord(two, KEY, "/two", 500, 1_000, NOON));

        assertThat(calls().report(one, TODAY, TODAY).topPaths()).containsExactly(new PathCount("/one", 1));
        assertThat(calls().report(one, TODAY, TODAY).totals().errors()).isZero();
        assertThat(calls().report(one, TODAY, TODAY).recent()).hasSize(1);
    }

    @Test
    default void percentiles_are_within_one_percent_over_days_and_nodes() {
        UserId user = user();
        for (int i = 1; i <= 1_000; i++) {
            CallLog node = i % 3 == 0 ? otherNode() : calls();
            node.record(new CallRecord(user, KEY, "/a", 200, i * 1_000L, NOON.minus(Duration.ofDays(i % 5))));
        }
        otherNode().report(user, TODAY, TODAY);

        Totals totals = calls().report(user, WEEK_AGO, TODAY).totals();

        assertThat(totals.total()).isEqualTo(1_000);
        assertThat(totals.p50Millis()).isCloseTo(500, within(5L));
        assertThat(totals.p95Millis()).isCloseTo(950, within(10L));
    }

    @Test
    default void two_nodes_that_write_at_once_lose_no_calls() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed of two_nodes_that_write_at_once_lose_no_calls: " + seed);
        InMemoryCallLog counted = new InMemoryCallLog();
        List<UserId> users = List.of(user(), user(), user());
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Random random = new Random(seed + i);
            int client = i;
            CallLog node = i % 2 == 0 ? calls() : otherNode();
            clients.add(new Thread(() -> {
                for (int call = 0; call < 5_000; call++) {
                    CallRecord made = random(users, random, client + 4 * call);
                    node.record(made);
                    counted.record(made);
                    if (call % 500 == 0) {
                        node.report(made.userId(), WEEK_AGO, TODAY);
                    }
                }
            }));
        }
        clients.forEach(Thread::start);
        for (Thread client : clients) {
            client.join();
        }

        for (UserId user : users) {
            otherNode().report(user, TODAY, TODAY);
            UsageReport report = calls().report(user, WEEK_AGO, TODAY);
            UsageReport expected = counted.report(user, WEEK_AGO, TODAY);
            assertThat(report.totals().total()).isEqualTo(expected.totals().total());
            assertThat(report.totals().errors()).isEqualTo(expected.totals().errors());
            assertThat(report.series()).isEqualTo(expected.series());
            assertThat(report.topPaths()).isEqualTo(expected.topPaths());
            assertThat(report.topKeys()).isEqualTo(expected.topKeys());
            assertThat(report.recent()).isEqualTo(expected.recent());
        }
    }

    private static CallRecord random(List<UserId> users, Random random, int number) {
        return new CallRecord(
                users.get(random.nextInt(users.size())),
                key(random.nextInt(15)),
                "/path-" + random.nextInt(12),
                random.nextInt(10) == 0 ? 429 : 200,
                random.nextInt(2_000_000),
                NOON.minus(Duration.ofDays(random.nextInt(9))).plusNanos(number * 1_000L));
    }

    private static UserId user() {
        return new UserId(UUID.randomUUID());
    }

    private static AgentKeyId key(int number) {
        return new AgentKeyId(new UUID(0, number));
    }
}
