package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.NpmProject.Result;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official clients, inspector and conformance suite of the Model Context Protocol, against the running service. */
class McpClientsTest {
    /** The scenarios that need no fixtures of the suite's own server; docs/reference/mcp.md lists the others. */
    private static final List<String> SCENARIOS = List.of(
            "server-initialize",
            "ping",
            "tools-list",
            "resources-list",
            "prompts-list",
            "server-sse-multiple-streams",
            "server-sse-polling",
            "dns-rebinding-protection");

    private static NpmProject node;
    private static RunningService service;
    private static Map<String, String> environment;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        node = NpmProject.install("node/mcp", "MCP with its official clients, inspector and conformance suite");
        service = RunningService.start(folder);
        environment = Map.of(
                "BASE_URL", service.address(),
                "API_KEY", key("live"),
                "STDIO_COMMAND", String.join("\n", stdio(service.address())),
                "SCENARIOS", String.join(",", SCENARIOS));
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static String key(String type) {
        return TestHousehold.withPolicy(new ApiCaller(service.address()))
                .mint(type)
                .get("key")
                .textValue();
    }

    @Test
    void the_official_clients_list_and_call_every_tool_over_http_and_stdio() throws Exception {
        for (String type : List.of("live", "test")) {
            Map<String, String> withKey = new HashMap<>(environment);
            withKey.put("API_KEY", key(type));

            Result result = node.run(withKey, script("clients"));

            assertThat(result.exitCode()).describedAs(result.text()).isZero();
            assertThat(result.text().lines().filter(line -> line.contains(": 11 tools, 2 resources, 2 prompts")))
                    .hasSize(6);
        }
    }

    @Test
    void the_inspector_lists_the_tools_and_calls_them_over_http_and_stdio() throws Exception {
        Map<String, String> turns = new HashMap<>(environment);
        turns.put("ONE_IN", Integer.toString(ExperimentSettings.times(8, 1)));
        turns.put("SEED", Long.toString(ExperimentSettings.seed(McpClientsTest.class)));

        Result result = node.run(turns, script("inspector"));

        assertThat(result.exitCode()).describedAs(result.text()).isZero();
        assertThat(result.text()).contains("inspector over HTTP: 11 tools", "inspector over stdio: 11 tools");
    }

    @Test
    void the_conformance_suite_passes() throws Exception {
        Result result = node.run(environment, script("conformance"));

        assertThat(result.exitCode()).describedAs(result.text()).isZero();
        assertThat(result.text().lines().filter(line -> line.endsWith(": passed")))
                .hasSameSizeAs(SCENARIOS);
        assertThat(Files.readString(Path.of("../docs/reference/mcp.md"))).contains(SCENARIOS);
    }

    /** The command that speaks the protocol over standard input and output. */
    static List<String> stdio(String address) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(ServiceClasses.options());
        command.addAll(List.of(Main.class.getName(), McpCommand.NAME, McpCommand.URL_OPTION, address));
        return command;
    }

    private static List<String> script(String name) {
        return List.of("npm", "run", "--silent", name);
    }
}
