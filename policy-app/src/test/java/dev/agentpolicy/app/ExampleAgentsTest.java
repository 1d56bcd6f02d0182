package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.NpmProject.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The agents of docs/agents.md do what the page says. They run as they are printed there. */
@TestInstance(Lifecycle.PER_CLASS)
class ExampleAgentsTest {
    private static final Path PAGE = Path.of("../docs/agents.md");
    private static final int MAX_LINES = 59;
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    /** Crypto is a tenth of the portfolio; the policy's target is a fifth. */
    private static final String LITTLE_CRYPTO = TestHousehold.demo("holdings.json")
            .replace("\"quantity\": 0.4", "\"quantity\": 0.2")
            .replace("\"cash\": 10000", "\"cash\": 20000");

    private Path folder;
    private RunningService service;

    @BeforeAll
    void start(@TempDir Path directory) {
        folder = directory;
        service = RunningService.start(directory);
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @Test
    void the_agent_in_python_proposes_and_waits_for_the_user() throws Exception {
        assumeTrue(Shell.has("python3"), "no python3");
        Path program = Files.writeString(folder.resolve("agent.py"), printed("python"));

        tryOut(List.of("python3", program.toString()));
    }

    @Test
    void the_agent_in_typescript_proposes_and_waits_for_the_user() throws Exception {
        NpmProject node = NpmProject.install("node/agents", "the agent in TypeScript of docs/agents.md");
        Files.writeString(node.file("agent.ts"), printed("ts"));
        Result compiled = node.npm("run", "--silent", "compile");
        assertThat(compiled.exitCode()).describedAs(compiled.text()).isZero();

        tryOut(List.of("node", node.file("build/agent.js").toAbsolutePath().toString()));
    }

    private void tryOut(List<String> program) throws Exception {
        TestHousehold household = TestHousehold.signUp(new ApiCaller(service.address()));
        String key = household.mint("live").get("key").textValue();
        assertThat(run(program, key)).isEqualTo("1: There is no policy or no portfolio yet.");

        household.user().put(APP + "ips", TestHousehold.demo("ips.json")).ok();
        household.user().put(APP + "custodians/paper", LITTLE_CRYPTO).ok();
        RunningAgent rejected = new RunningAgent(program, key);
        long first = resolveNext(household, "/reject", "{\"reason\":\"Not today\"}");
        assertThat(rejected.result())
                .matches("0: Proposed: buy 10000(\\.0)? USD of BTC, request " + first + "\\R" + "Request " + first
                        + ": rejected \\(Not today\\)");
        assertThat(run(program, key))
                .describedAs("started again on the same day")
                .contains("request " + first, "rejected (Not today)");

        String other = household.mint("live").get("key").textValue();
        RunningAgent accepted = new RunningAgent(program, other);
        long second = resolveNext(household, "/accept", "");
        assertThat(accepted.result()).startsWith("0: ").endsWith("Request " + second + ": completed");
        assertThat(run(program, other)).startsWith("0: Nothing to do: ");

        household.user().delete(APP + "keys/" + keyId(household, other)).ok();
        assertThat(run(program, other)).startsWith("1: GET /mandate: 401 ");
    }

    private static String keyId(TestHousehold household, String key) {
        for (JsonNode each : household.user().get(APP + "keys").ok().json().get("keys")) {
            if (key.endsWith(each.get("last4").textValue())) {
                return each.get("agentKeyId").textValue();
            }
        }
        throw new AssertionError("The key is not listed.");
    }

    /** Waits for a request and resolves it; its id. */
    private static long resolveNext(TestHousehold household, String how, String body) throws InterruptedException {
        Instant deadline = Instant.now().plus(MAX_WAIT);
        while (Instant.now().isBefore(deadline)) {
            JsonNode pending = household
                    .user()
                    .get(APP + "requests?status=pending")
                    .ok()
                    .json()
                    .get("requests");
            if (!pending.isEmpty()) {
                long id = pending.get(0).get("id").longValue();
                household.user().post(APP + "requests/" + id + how, body).ok();
                return id;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("The agent proposed nothing.");
    }

    private String run(List<String> program, String key) throws IOException, InterruptedException {
        return new RunningAgent(program, key).result();
    }

    /** An agent that was started. */
    private final class RunningAgent {
        private final Path output;
        private final Process process;

        RunningAgent(List<String> program, String key) throws IOException {
            output = Files.createTempFile(folder, "agent", ".log");
            ProcessBuilder builder =
                    new ProcessBuilder(program).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment()
                    .putAll(Map.of(
                            "POLICY_URL", service.address() + "/", "POLICY_AGENT_KEY", key, "POLL_SECONDS", "0.2"));
            process = builder.start();
        }

        /** Its exit code and what it printed. */
        String result() throws IOException, InterruptedException {
            if (!process.waitFor(MAX_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("The agent did not end: " + Files.readString(output));
            }
            return process.exitValue() + ": " + Files.readString(output).strip();
        }
    }

    /** The program of a language in the page. */
    private static String printed(String language) throws IOException {
        Matcher block = Pattern.compile("(?s)```" + language + "\n(.*?)```").matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        assertThat(block.group(1).lines().count()).isLessThanOrEqualTo(MAX_LINES);
        return block.group(1);
    }
}
