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

    @Test
    void decisions_count_whatever_the_form_in_which_they_were_asked_for() {
        String trade = TestHousehold.trade("buy", "SPY", "tradfi", "1");
        String tool =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}";
        try (ServiceNode node = ServiceNode.start(folder, Database.H2.fresh(folder))) {
            ApiCaller agent = TestHousehold.withPolicy(node.caller())
                    .agent()
                    .with("Accept", "application/json, text/event-stream");
            agent.post(API + "policy/validate", trade).ok();
            agent.post("/mcp", tool.formatted("validate_trade", trade)).ok();
            agent.post("/mcp", tool.formatted("validate_trade", "{}")).ok();
            agent.post("/mcp", tool.formatted("whoami", "{}")).ok();
            agent.get(API + "mandate").ok();

            assertThat(node.caller().get("/metrics").ok().text()).containsPattern("policy_decision_seconds_count 2\\b");
        }
    }
}
