package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users who try to fill the heap of a process that has the recommended 144 MB. */
class FullHeapTest {
    private static final int REPLACEMENTS = 1_300;
    private static final int POSITIONS = 500;

    @TempDir
    Path folder;

    @Test
    void replacing_holdings_of_500_positions_1300_times_does_not_fill_the_heap() throws Exception {
        Map<String, String> environment = ServiceNode.environment(folder, Database.H2.fresh(folder), Map.of());
        try (ServiceProcess process = ServiceProcess.withHeap(folder, environment, "-Xmx144m")) {
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
