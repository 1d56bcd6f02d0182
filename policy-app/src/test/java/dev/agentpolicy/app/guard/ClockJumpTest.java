package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.CapturedLog;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.ProposalClient;
import dev.agentpolicy.app.ServiceNode;
import dev.agentpolicy.app.TestHousehold;
import dev.agentpolicy.app.config.CannotStart;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node whose clock is wrong (docs/operations.md, A clock that is wrong). */
class ClockJumpTest {
    private static final Duration AHEAD = Duration.ofDays(400);
    private static final String BUY = TestHousehold.trade("buy", "SPY", "tradfi", "1");
    private static final String JUMPED = "policy_decisions_stopped{reason=\"clock_jumped\"} ";
    private static final String APART = "policy_decisions_stopped{reason=\"database_clock\"} ";

    @TempDir
    private Path folder;

    private final SettableClocks machine = new SettableClocks(Instant.now().truncatedTo(ChronoUnit.MICROS));
    private String url;

    @ParameterizedTest
    @EnumSource
    void a_node_whose_clock_jumps_400_days_ahead_writes_no_row_of_then_and_nothing_expires(Database database)
            throws Exception {
        url = database.fresh(folder);
        try (CapturedLog log = new CapturedLog();
                ServiceNode node = node(Map.of())) {
            ProposalClient queue = ProposalClient.of(node.caller(), "{\"dailyUsdCap\":1500}");
            long pending = queue.queued("1000");
            ApiCaller expiring = queue.household().agent(expiringKey(queue.household()));
            Instant before = machine.wall();
            JsonNode held = queue.portfolio();

            machine.jump(AHEAD);

            for (ApiCaller agent : List.of(queue.agent(), expiring)) {
                Seen refused = agent.post(TestHousehold.API + "policy/validate", BUY);
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.header("Retry-After")).isNotEmpty();
                assertThat(refused.json().get("error").textValue()).isEqualTo("unavailable");
                assertThat(agent.post(TestHousehold.API + "trades/propose", BUY).status())
                        .isEqualTo(503);
                assertThat(agent.get(TestHousehold.API + "mandate").ok().status())
                        .isEqualTo(200);
                assertThat(agent.get(TestHousehold.API + "policy/events").ok().status())
                        .isEqualTo(200);
            }
            assertThat(queue.household()
                            .user()
                            .get(TestHousehold.APP + "me")
                            .ok()
                            .status())
                    .describedAs("the session is as old as it is")
                    .isEqualTo(200);
            assertThat(queue.accept(pending).status()).isEqualTo(503);
            assertThat(queue.household()
                            .user()
                            .put(
                                    TestHousehold.APP + "ips",
                                    TestHousehold.demo("ips.json").replace("0.05", "0.06"))
                            .status())
                    .isEqualTo(503);
            assertThat(queue.household()
                            .user()
                            .post(
                                    TestHousehold.APP + "custodians/paper/trades",
                                    "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":1,"
                                            + "\"price\":100}")
                            .status())
                    .isEqualTo(503);
            assertThat(queue.household()
                            .user()
                            .put(TestHousehold.APP + "custodians/paper", TestHousehold.demo("holdings.json"))
                            .status())
                    .isEqualTo(503);
            assertThat(log.messages()).anyMatch(it -> it.startsWith("Deciding has stopped: The clock of this machine"));
            assertThat(metrics(node)).contains(JUMPED + "1.0").contains(APART + "0.0");
            severalSweeps();
            assertThat(queue.request(pending).get("status").textValue()).isEqualTo("pending");
            assertThat(queue.events("guardrail.decision"))
                    .allSatisfy(event -> assertThat(
                                    Instant.parse(event.get("createdAt").textValue()))
                            .isBeforeOrEqualTo(before));

            machine.jump(AHEAD.negated());
            machine.pass(GuardedClock.AGREEMENT.dividedBy(2));
            assertThat(queue.agent()
                            .post(TestHousehold.API + "policy/validate", BUY)
                            .status())
                    .describedAs("not at once")
                    .isEqualTo(503);
            trustedAgain(node);

            assertThat(queue.portfolio().get("custodians"))
                    .describedAs("no order was executed that could not be recorded")
                    .isEqualTo(held.get("custodians"));
            queue.agent().post(TestHousehold.API + "policy/validate", BUY).ok();
            expiring.post(TestHousehold.API + "policy/validate", BUY).ok();
            assertThat(queue.accept(pending).ok().status()).isEqualTo(200);
            assertThat(queue.propose(TestHousehold.trade("buy", "SPY", "tradfi", "600"))
                            .ok()
                            .json()
                            .at("/decision/violations")
                            .findValuesAsText("rule"))
                    .describedAs("the cap of the day is that of the same day")
                    .containsExactly("agent_aum_cap");
            assertThat(metrics(node)).contains(JUMPED + "0.0");
        }
    }

    @Test
    void a_node_that_jumped_with_its_database_decides_again_after_a_minute() throws Exception {
        url = Database.POSTGRES.fresh(folder);
        machine.jump(Duration.ofSeconds(-200));
        try (ServiceNode node = node(Map.of())) {
            ApiCaller agent = TestHousehold.withPolicy(node.caller()).agent();
            machine.jump(Duration.ofSeconds(350));
            assertThat(agent.post(TestHousehold.API + "policy/validate", BUY).status())
                    .isEqualTo(503);

            trustedAgain(node);

            agent.post(TestHousehold.API + "policy/validate", BUY).ok();
        }
    }

    @Test
    void on_h2_a_clock_that_was_set_right_is_accepted_by_a_restart() throws Exception {
        url = Database.H2.fresh(folder);
        try (ServiceNode node = node(Map.of())) {
            ApiCaller agent = TestHousehold.withPolicy(node.caller()).agent();
            machine.jump(Duration.ofHours(1));
            assertThat(agent.post(TestHousehold.API + "policy/validate", BUY).status())
                    .isEqualTo(503);
        }
        try (ServiceNode node = node(Map.of())) {
            TestHousehold.withPolicy(node.caller())
                    .agent()
                    .post(TestHousehold.API + "policy/validate", BUY)
                    .ok();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_start_with_a_clock_behind_the_newest_event_is_refused_until_the_operator_says_otherwise(Database database) {
        url = database.fresh(folder);
        Map<String, String> apart = Map.of("POLICY_CLOCK_OVERRIDE", "database");
        machine.jump(AHEAD);
        try (ServiceNode node = node(apart)) {
            TestHousehold.withPolicy(node.caller())
                    .agent()
                    .post(TestHousehold.API + "policy/validate", BUY)
                    .ok();
        }
        machine.jump(AHEAD.negated());

        String refusal = refusal(Map.of());

        assertThat(refusal)
                .startsWith("The clock of this machine says 20")
                .contains("which is before the newest event, of ")
                .contains("POLICY_CLOCK_OVERRIDE=20");
        String newest = refusal.replaceAll(".*POLICY_CLOCK_OVERRIDE=(.*)\\.$", "$1");
        Instant earlier = Instant.parse(newest).minusSeconds(1);
        assertThat(refusal(Map.of("POLICY_CLOCK_OVERRIDE", earlier.toString()))).contains("before the newest event");
        node(Map.of("POLICY_CLOCK_OVERRIDE", newest)).close();
    }

    @Test
    void a_start_with_a_clock_apart_from_that_of_the_database_is_refused_before_anything_is_written() {
        url = Database.POSTGRES.fresh(folder);
        machine.jump(AHEAD);

        assertThat(refusal(Map.of()))
                .startsWith("The clock of this machine says ")
                .contains("further apart than the 300 s of POLICY_CLOCK_TOLERANCE_SECONDS")
                .endsWith("POLICY_CLOCK_OVERRIDE=database.");

        machine.jump(AHEAD.negated());
        node(Map.of()).close();
        machine.jump(Duration.ofSeconds(301).negated());
        assertThat(refusal(Map.of())).contains("further apart");
        node(Map.of("POLICY_CLOCK_TOLERANCE_SECONDS", "600")).close();
    }

    @Test
    void a_difference_from_the_database_that_was_accepted_may_not_grow() throws Exception {
        url = Database.POSTGRES.fresh(folder);
        machine.jump(Duration.ofHours(2));
        try (ServiceNode node = node(Map.of("POLICY_CLOCK_OVERRIDE", "database"))) {
            ApiCaller agent = TestHousehold.withPolicy(node.caller()).agent();
            agent.post(TestHousehold.API + "policy/validate", BUY).ok();
            // As if the clock of the database had been set back: both clocks of the node agree.
            machine.pass(Duration.ofHours(2));

            until(() -> metrics(node).contains(APART + "1.0"));

            assertThat(agent.post(TestHousehold.API + "policy/validate", BUY).status())
                    .isEqualTo(503);
        }
    }

    private JsonNode expiringKey(TestHousehold household) {
        return household
                .user()
                .post(
                        TestHousehold.APP + "keys",
                        "{\"name\":\"Month\",\"keyType\":\"live\",\"scopes\":[\"read\",\"validate\",\"propose\"],"
                                + "\"policy\":{},\"expiresInDays\":30}")
                .ok()
                .json();
    }

    /** Lets the minute of agreement pass, and waits for the next round of the clock watch. */
    private void trustedAgain(ServiceNode node) throws Exception {
        until(() -> {
            machine.pass(Duration.ofSeconds(5));
            return metrics(node).contains(JUMPED + "0.0") && metrics(node).contains(APART + "0.0");
        });
    }

    private static void severalSweeps() throws InterruptedException {
        TimeUnit.SECONDS.sleep(6);
    }

    private interface Condition {
        boolean isMet() throws Exception;
    }

    private static void until(Condition condition) throws Exception {
        for (int i = 0; i < 300; i++) {
            if (condition.isMet()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError("It does not happen.");
    }

    private static String metrics(ServiceNode node) {
        return node.caller().get("/metrics").ok().text();
    }

    private String refusal(Map<String, String> settings) {
        List<String> messages = new ArrayList<>();
        assertThatExceptionOfType(CannotStart.class)
                .isThrownBy(() -> node(settings).close())
                .satisfies(refused -> messages.add(refused.getMessage()));
        return messages.get(0);
    }

    private ServiceNode node(Map<String, String> settings) {
        return ServiceNode.start(folder, url, settings, machine.clocks());
    }
}
