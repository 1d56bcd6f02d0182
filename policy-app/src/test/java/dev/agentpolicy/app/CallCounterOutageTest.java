package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.jdbc.HeardOutages;
import dev.agentpolicy.adapter.jdbc.MortalPostgres;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The store of call counts is killed while agents call: callers notice nothing, operators see a warning. */
class CallCounterOutageTest {
    private static final Duration PROMISED = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(60);

    @RegisterExtension
    final HeardOutages heard = new HeardOutages();

    @TempDir
    Path folder;

    @Test
    void no_call_fails_the_budget_reads_full_and_counting_goes_on_by_itself() throws Exception {
        try (MortalPostgres counters = new MortalPostgres(folder);
                ServiceNode node = ServiceNode.start(folder, Database.H2.fresh(folder), settings(counters.url()))) {
            TestHousehold household = TestHousehold.signUp(node.caller());
            ApiCaller agent = household.agent();
            within(LONG, () -> isCounted(agent) && gauge(node).equals("0.0"));
            try (BackgroundAgents load = BackgroundAgents.of(household.agent(), household.agent(), household.agent())) {
                counters.kill();
                within(LONG, () -> gauge(node).equals("1.0"));
                everybodyHasAFullBudget(node, agent);
                counters.restart();
                within(LONG, () -> answers(counters.url()));
                within(PROMISED, () -> isCounted(agent) && gauge(node).equals("0.0"));

                eachOutageIsToldOnce(heard.lines());
                assertThat(load.failures()).isEmpty();
                assertThat(load.calls()).isPositive();
            }
        }
    }

    private static Map<String, String> settings(String counters) {
        return Map.of("POLICY_RATE_LIMIT_URL", counters, "POLICY_RATE_LIMIT_PER_SECOND", "50");
    }

    private static void everybodyHasAFullBudget(ServiceNode node, ApiCaller agent) {
        for (Seen seen : List.of(
                agent.get(API + "whoami"),
                agent.get(API + "mandate"),
                agent.get(API + "nothing"),
                agent.post(API + "policy/validate", "{"),
                node.caller().get(API + "whoami"),
                node.caller().get(API + "signing-keys"))) {
            assertThat(seen.header("X-RateLimit-Limit")).isEqualTo("50");
            assertThat(seen.header("X-RateLimit-Remaining")).isEqualTo("50");
            assertThat(seen.header("X-RateLimit-Reset")).isEqualTo("1");
        }
        JsonNode said = agent.get(API + "whoami").ok().json().get("rateLimit");
        assertThat(said.get("perSecond").intValue()).isEqualTo(50);
        assertThat(said.get("remainingThisSecond").intValue()).isEqualTo(50);
        assertThat(said.get("resetSeconds").intValue()).isEqualTo(1);
    }

    /** Warnings and recoveries alternate. A busy machine may have several, but never two warnings in a row. */
    private static void eachOutageIsToldOnce(List<ILoggingEvent> told) {
        assertThat(told).hasSizeGreaterThanOrEqualTo(2);
        for (int i = 0; i < told.size(); i++) {
            assertThat(told.get(i).getLevel()).isEqualTo(i % 2 == 0 ? Level.WARN : Level.INFO);
        }
    }

    private static boolean isCounted(ApiCaller agent) {
        return BurstResult.remaining(agent.get(API + "whoami").ok()) < 50;
    }

    private static String gauge(ServiceNode node) {
        String name = "policy_counter_away ";
        return node.caller()
                .get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean answers(String url) {
        try (Connection connection = DriverManager.getConnection(url)) {
            return connection.isValid(1);
        } catch (SQLException away) {
            return false;
        }
    }

    private static void within(Duration time, Callable<Boolean> isSo) throws Exception {
        long deadline = System.nanoTime() + time.toNanos();
        while (!isSo.call()) {
            assertThat(System.nanoTime() - deadline).as("still not so").isNegative();
            Thread.sleep(40);
        }
    }
}
