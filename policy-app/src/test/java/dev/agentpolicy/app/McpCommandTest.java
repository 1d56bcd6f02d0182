package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.app.config.CannotStart;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol over standard input and output (docs/reference/mcp.md). */
class McpCommandTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}";
    private static final long LONGEST_SECONDS = 60;

    @TempDir
    Path folder;

    /** What a process wrote, and how it ended. */
    private record Ended(int code, List<String> out, String err) {}

    @Test
    void every_line_is_answered_and_the_end_of_input_ends_it() throws Exception {
        try (RunningService service = RunningService.start(folder)) {
            TestHousehold household = TestHousehold.withPolicy(new ApiCaller(service.address()));
            String key = household.mint("live").get("key").textValue();

            Ended ended = run(
                    service.address(),
                    key,
                    PING,
                    "",
                    "[]",
                    "no JSON",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");

            assertThat(ended.code()).isZero();
            assertThat(ended.out()).hasSize(3).contains("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
            assertThat(ended.out()).anyMatch(line -> line.contains("-32600")).anyMatch(line -> line.contains("-32700"));
            assertThat(ended.err()).isEmpty();
        }
    }

    @Test
    void a_key_that_does_not_work_is_an_error_of_each_request() throws Exception {
        try (RunningService service = RunningService.start(folder)) {
            for (String key : List.of("", "svc_live_nobody", "k\u0001y")) {
                Ended ended = run(service.address(), key, PING);

                assertThat(ended.code()).isZero();
                assertThat(ended.out())
                        .singleElement()
                        .asString()
                        .startsWith("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32000,\"message\":\"")
                        .contains("POLICY_AGENT_KEY");
                assertThat(ended.err()).contains("POLICY_AGENT_KEY");
            }
        }
    }

    @Test
    void a_service_that_does_not_answer_is_an_error_of_each_request() throws Exception {
        String nobody;
        try (ServerSocket free = new ServerSocket(0)) {
            nobody = "http://127.0.0.1:" + free.getLocalPort();
        }

        Ended ended = run(nobody, "svc_live_x", PING, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");

        assertThat(ended.code()).isZero();
        assertThat(ended.out()).singleElement().asString().contains("\"id\":\"a\"", "nothing answers there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"policy.example", "ftp://policy.example", "http://", "a b", "file:///tmp"})
    void an_unusable_address_is_told(String url) throws Exception {
        Ended ended = run(url, "svc_live_x");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("--url must be an address");
        assertThatThrownBy(() -> McpCommand.endpoint(url)).isInstanceOf(CannotStart.class);
    }

    @Test
    void the_path_of_the_endpoint_is_added_once() {
        assertThat(McpCommand.endpoint("https://policy.example/")).hasToString("https://policy.example/mcp");
        assertThat(McpCommand.endpoint("https://policy.example/a/mcp")).hasToString("https://policy.example/a/mcp");
    }

    @ParameterizedTest
    @CsvSource({
        "http://policy.example,true",
        "HTTP://10.0.0.1:8080,true",
        "http://localhost.evil.example,true",
        "https://policy.example,false",
        "http://localhost:8080,false",
        "http://127.0.0.1:8080,false",
        "http://[::1]:8080,false"
    })
    void a_key_that_leaves_the_machine_in_clear_is_told(String url, boolean isTold) throws Exception {
        Ended ended = run(url, "key", "");

        assertThat(ended.code).isZero();
        assertThat(ended.err.contains("The key is sent in clear to")).isEqualTo(isTold);
        assertThat(ended.out).isEmpty();
    }

    private Ended run(String url, String key, String... lines) throws IOException, InterruptedException {
        Path in = Files.writeString(folder.resolve("in"), String.join("\n", lines) + "\n");
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(McpClientsTest.stdio(url))
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("JAVA_TOOL"));
        builder.environment().put(McpCommand.KEY, key);
        Process process = builder.start();
        assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Ended(
                process.exitValue(),
                Files.readAllLines(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
