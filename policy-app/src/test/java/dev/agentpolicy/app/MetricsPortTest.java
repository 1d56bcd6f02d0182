package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics can have a port of their own, which has nothing else. */
class MetricsPortTest {
    @TempDir
    Path folder;

    @Test
    void metrics_with_a_port_of_their_own_are_at_no_other() {
        try (ServiceNode node =
                ServiceNode.start(folder, Database.H2.fresh(folder), Map.of("POLICY_METRICS_PORT", "0"))) {
            ApiCaller main = node.caller();
            ApiCaller operators = new ApiCaller(
                    node.running().door().metricsServer().orElseThrow().address());

            assertThat(main.get("/metrics").status()).isEqualTo(404);
            assertThat(main.get("/health/ready").status()).isEqualTo(200);
            assertThat(main.get(API + "whoami").status()).isEqualTo(401);
            assertThat(operators.get("/metrics").ok().text())
                    .contains("policy_http_call_seconds_count", "route=\"/health/ready\"");
            assertThat(operators.get("/health/ready").status()).isEqualTo(404);
            assertThat(operators.get("/").status()).isEqualTo(404);
        }
    }

    @Test
    void metrics_without_one_are_at_the_main_port() {
        try (ServiceNode node = ServiceNode.start(folder, Database.H2.fresh(folder))) {
            assertThat(node.caller().get("/metrics").status()).isEqualTo(200);
            assertThat(node.running().door().metricsServer()).isEmpty();
        }
    }
}
