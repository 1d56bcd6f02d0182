package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Over HTTP, 200 callers of one key: in every second exactly 50 are admitted, and none is refused before that. */
@EnabledIfSystemProperty(named = "experiments", matches = "long")
class RateWindowsTest {
    /** A few seconds for every build; {@code -Drate.windows=20} for the long way. */
    private static final int WINDOWS = Integer.getInteger("rate.windows", 3);

    private static final long MAX_NANOS = Duration.ofMinutes(3).toNanos();
    private static final long BUSY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int SPREAD_MILLIS = 600;
    private static final List<Integer> EACH_ONCE =
            IntStream.range(0, BurstResult.LIMIT).boxed().toList();

    @TempDir
    Path folder;

    @Test
    void counted_in_process() throws Exception {
        try (ServiceNode node =
                ServiceNode.start(folder, Database.H2.fresh(folder), Map.of("POLICY_RATE_LIMIT_PER_SECOND", "50"))) {
            ApiCaller agent = TestHousehold.signUp(node.caller()).agent();

            exactlyTheLimitInEach(0, i -> agent.get(API + "whoami"));
        }
    }

    @Test
    void counted_together_by_two_nodes() throws Exception {
        String database = Database.POSTGRES.fresh(folder);
        Map<String, String> shared =
                Map.of("POLICY_RATE_LIMIT_URL", Database.POSTGRES.fresh(folder), "POLICY_RATE_LIMIT_PER_SECOND", "50");
        try (ServiceNode one = ServiceNode.start(folder, database, shared);
                ServiceNode other = ServiceNode.start(folder, database, shared)) {
            ApiCaller agent = TestHousehold.signUp(one.caller()).agent();
            ApiCaller elsewhere = agent.at(other.running().address());

            exactlyTheLimitInEach(SPREAD_MILLIS, i -> (i % 2 == 0 ? agent : elsewhere).get(API + "whoami"));
        }
    }

    /**
     * A second in which the machine was so busy that calls came late, or the store did not answer within its 20 ms,
     * is pressed again: then something else is promised (specification, Limits). On a machine that is busy for a
     * minute, one quiet second is enough, and one that has none in three minutes shows nothing: the test is left out.
     */
    private static void exactlyTheLimitInEach(int spreadMillis, IntFunction<Seen> call) throws InterruptedException {
        long start = System.nanoTime();
        int exact = 0;
        for (int tries = 1; exact == 0 || exact < WINDOWS && System.nanoTime() - start < BUSY_NANOS; tries++) {
            assumeThat(System.nanoTime() - start)
                    .as("quiet seconds on this machine: " + exact + " of " + tries)
                    .isLessThan(MAX_NANOS);
            Optional<BurstResult> pressed = BurstResult.inTheNextSecond(spreadMillis, call);
            if (pressed.isPresent() && !pressed.get().hasUncounted()) {
                check(pressed.get());
                exact++;
            }
        }
        System.out.println(exact + " windows of 50 admitted and 150 refused calls");
    }

    private static void check(BurstResult pressed) {
        assertThat(pressed.remaining()).isEqualTo(EACH_ONCE);
        assertThat(pressed.refused()).hasSize(150).allSatisfy(seen -> {
            assertThat(seen.header("X-RateLimit-Limit")).isEqualTo("50");
            assertThat(seen.header("X-RateLimit-Remaining")).isEqualTo("0");
            assertThat(seen.header("X-RateLimit-Reset")).isEqualTo("1");
            assertThat(seen.header("Retry-After")).isEqualTo("1");
            assertThat(seen.json().get("error").textValue()).isEqualTo("rate_limit_exceeded");
            assertThat(seen.json().get("message").textValue()).isNotBlank();
            assertThat(seen.json().get("limit").intValue()).isEqualTo(50);
            assertThat(seen.json().get("resetSeconds").intValue()).isEqualTo(1);
        });
    }
}
