package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.NpmProject.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client whose types are made from docs/openapi.json compiles, and what it is answered has those types. */
class GeneratedClientTest {
    @TempDir
    Path folder;

    @Test
    void the_description_passes_a_linter_and_a_client_made_from_it_runs() throws Exception {
        NpmProject client = NpmProject.install("node", "a client made from docs/openapi.json");

        Result linted = client.npm("run", "--silent", "lint");
        Result built = client.npm("run", "--silent", "build");
        assertThat(linted.exitCode()).describedAs(linted.text()).isZero();
        assertThat(built.exitCode()).describedAs(built.text()).isZero();
        try (RunningService service = RunningService.start(folder)) {
            TestHousehold household = TestHousehold.withPolicy(new ApiCaller(service.address()));
            for (String type : List.of("live", "test")) {
                JsonNode key = household.mint(type);
                Result called = client.run(
                        Map.of(
                                "BASE_URL",
                                service.address(),
                                "API_KEY",
                                key.get("key").textValue()),
                        List.of("npm", "start"));

                assertThat(called.exitCode()).describedAs(called.text()).isZero();
                assertThat(called.text())
                        .contains("whoami   " + type + " key of " + household.userId())
                        .contains("validate Within policy []")
                        .containsPattern("propose  request (-?\\d+)\\R(.*\\R)?propose  request \\1 \\(again\\)");
            }
        }
    }
}
