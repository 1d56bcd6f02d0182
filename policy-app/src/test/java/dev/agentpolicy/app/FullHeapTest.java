package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Users who try to fill the heap of a process: of 80 MB in every build, and with {@code -Plong} of the 144 MB that are
 * recommended. When every replaced portfolio stayed in memory, 830 of them filled the latter.
 */
class FullHeapTest {
    private static final int REPLACEMENTS = ExperimentSettings.times(400, 1_300);
    private static final String HEAP = "-Xmx" + ExperimentSettings.times(80, 144) + "m";
    private static final int POSITIONS = 500;

    @TempDir
    Path folder;

    @Test
    void replacing_holdings_of_500_positions_does_not_fill_the_heap() throws Exception {
        Map<String, String> environment = ServiceNode.environment(folder, Database.H2.fresh(folder), Map.of());
        try (ServiceProcess process = ServiceProcess.withHeap(folder, environment, HEAP)) {
            TestHousehold home = TestHousehold.withPolicy(new ApiCaller(process.address()));
            for (int i = 0; i < REPLACEMENTS; i++) {
                home.user().put(APP + "custodians/savings", holdings(i)).ok();
            }

            ApiCaller agent = home.agent();
            agent.post(API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "100"))
                    .ok();
            assertThat(agent.get(API + "holdings").ok().json().at("/custodians").size())
                    .isEqualTo(2);
            assertThat(process.isAlive()).isTrue();
            assertThat(process.err()).doesNotContain("OutOfMemoryError");
        }
    }

    private static String holdings(int number) {
        String positions = IntStream.range(0, POSITIONS)
                .mapToObj(
                        i -> "{\"symbol\":\"ASSET-OF-SOME-LENGTH-" + i + "\",\"assetType\":\"tradfi\",\"quantity\":0.0"
                                + (i + 1) + ",\"price\":1." + (number + 1) + "}")
                .collect(Collectors.joining(","));
        return "{\"name\":\"Savings\",\"kind\":\"paper\",\"cash\":1,\"positions\":[" + positions + "]}";
    }
}
