package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official clients, inspector and conformance suite of the Model Context Protocol, against the running service. */
class McpClientsTest {
    private static final long LONGEST_SECONDS = 600;
    private static final Path SOURCES = Path.of("src/test/node/mcp");

    /** Kept, so that npm has less to fetch. */
    private static final Path COPY = Path.of("target/node/mcp");

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

    private static RunningService service;
    private static Map<String, String> environment;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        if (!Shell.has("npm")) {
            missing("no npm was found here. Install nodejs and npm.");
        }
        copySources();
        Said installed = npm(Map.of(), "install", "--no-audit", "--no-fund", "--prefer-offline");
        if (installed.exitCode() != 0) {
            missing("npm could not install them:\n" + installed.text());
        }
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

            Said said = npm(withKey, "run", "--silent", "clients");

            assertThat(said.exitCode()).describedAs(said.text()).isZero();
            assertThat(said.text().lines().filter(line -> line.contains(": 10 tools, 2 resources, 2 prompts")))
                    .hasSize(6);
        }
    }

    @Test
    void the_inspector_lists_and_calls_every_tool_over_http_and_stdio() throws Exception {
        Said said = npm(environment, "run", "--silent", "inspector");

        assertThat(said.exitCode()).describedAs(said.text()).isZero();
        assertThat(said.text()).contains("inspector over HTTP: 10 tools", "inspector over stdio: 10 tools");
    }

    @Test
    void the_conformance_suite_passes() throws Exception {
        Said said = npm(environment, "run", "--silent", "conformance");

        assertThat(said.exitCode()).describedAs(said.text()).isZero();
        assertThat(said.text().lines().filter(line -> line.endsWith(": passed")))
                .hasSameSizeAs(SCENARIOS);
        assertThat(Files.readString(Path.of("../docs/reference/mcp.md"))).contains(SCENARIOS);
    }

    /** The command that speaks the protocol over standard input and output. */
    static List<String> stdio(String address) {
        return List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                McpCommand.NAME,
                McpCommand.URL_OPTION,
                address);
    }

    /** What a program said, and how it ended. */
    private record Said(int exitCode, String text) {}

    private static Said npm(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        File output = Files.createTempFile("npm", ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of("npm"), Stream.of(arguments)).toList())
                .directory(COPY.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        boolean isDone = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        String text = Files.readString(output.toPath(), StandardCharsets.UTF_8);
        Files.delete(output.toPath());
        return new Said(isDone ? process.exitValue() : -1, text);
    }

    private static void copySources() throws IOException {
        Files.createDirectories(COPY);
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                Files.copy(file, COPY.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void missing(String why) {
        String banner = "!".repeat(100);
        String message = "NO MCP CLIENTS: THE PROTOCOL WAS TRIED WITH NO OFFICIAL CLIENT, as " + why;
        System.err.println("\n" + banner + "\n" + message + "\n" + banner);
        abort(message);
    }
}
