package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.NpmProject.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of others connect by consent, each by its own OAuth code, against the running service. */
class OAuthClientsTest {
    private static final List<String> CLIENTS = List.of(
            "sdk 1.32.2", "client 2.4.0", "oauth4webapi 3.8.8", "mcp-remote 0.15.1", "conformance 0.2.0-alpha.12");

    @Test
    void clients_of_others_connect_refresh_and_work_within_what_the_user_set(@TempDir Path folder) throws Exception {
        NpmProject node = NpmProject.install("node/mcp", "connecting by consent with the clients of others");
        try (RunningService service = RunningService.start(folder)) {
            TestHousehold household = TestHousehold.withPolicy(new ApiCaller(service.address()));

            Result result = node.run(
                    Map.of("BASE_URL", service.address(), "SESSION", household.cookie()),
                    List.of("npm", "run", "--silent", "oauth"));

            assertThat(result.exitCode()).describedAs(result.text()).isZero();
            assertThat(result.text()).contains(CLIENTS);
        }
    }
}
