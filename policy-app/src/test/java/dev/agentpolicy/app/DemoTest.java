package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demonstration prints works when it is pasted, at every start. */
class DemoTest {
    private static final int LINES = 3;

    @TempDir
    Path folder;

    @Test
    void the_lines_it_prints_work_and_a_later_start_mints_nothing_twice() throws Exception {
        List<String> first = lines();
        List<String> second = lines();

        assertThat(Files.exists(folder.resolve("data/policy.mv.db"))).isTrue();
        assertThat(Files.exists(folder.resolve("data/master-key.json"))).isTrue();
        assertThat(second).isNotEqualTo(first);
    }

    /** Starts it, pastes its lines into a shell, and stops it. */
    private List<String> lines() throws IOException, InterruptedException {
        try (ServiceProcess demo = ServiceProcess.start(folder, Map.of("POLICY_PORT", "0"), "demo")) {
            String address = demo.address();
            List<String> lines = new ArrayList<>();
            for (String line = demo.line(); lines.size() < LINES; line = demo.line()) {
                if (line.strip().startsWith("curl ")) {
                    lines.add(line.strip());
                }
            }

            assertThat(lines).allSatisfy(line -> assertThat(line).contains(address));
            assertThat(pasted(lines.get(0)).get("hasIps").booleanValue()).isTrue();
            assertThat(pasted(lines.get(1)).get("allowed").booleanValue()).isTrue();
            JsonNode blocked = pasted(lines.get(2));
            assertThat(blocked.get("allowed").booleanValue()).isFalse();
            assertThat(blocked.get("violations").findValuesAsText("rule"))
                    .containsExactly("crypto_min_allocation", "asset_authority_protect_sell");
            signsIn(address);
            demo.terminate();
            assertThat(demo.exitCode()).describedAs(demo.err()).isZero();
            return lines;
        }
    }

    private static JsonNode pasted(String line) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(Shell.line(List.of("bash", "-c", line), List.of()));
    }

    private static void signsIn(String address) {
        Caller stranger = new Caller(address);
        String login =
                "{\"email\":\"" + DemoUser.LOGIN.email() + "\",\"password\":\"" + DemoUser.LOGIN.password() + "\"}";
        String cookie = stranger.post(Household.APP + "session", login).ok().header("Set-Cookie");
        JsonNode keys = stranger.with("Cookie", cookie.substring(0, cookie.indexOf(';')))
                .get(Household.APP + "keys")
                .ok()
                .json()
                .get("keys");
        assertThat(keys.findValuesAsText("name")).containsExactlyInAnyOrder("demo agent", "demo sandbox");
    }
}
