package dev.agentpolicy.app;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.usecase.signin.Login;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the demonstration prints works when it is pasted, at every start. */
class DemoTest {
    private static final int LINES = 4;

    private static final String SIGN_IN = "Sign in ";
    private static final String PUBLISHED_BEFORE = "try-it-in-a-minute";

    private final List<String> passwords = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void the_lines_it_prints_work_and_a_later_start_mints_nothing_twice() throws Exception {
        List<String> first = lines("demo");
        List<String> second = lines("demo", "--quiet");

        assertThat(Files.exists(folder.resolve("data/policy.mv.db"))).isTrue();
        assertThat(Files.exists(folder.resolve("data/master-key.json"))).isTrue();
        assertThat(second).isNotEqualTo(first);
        assertThat(passwords)
                .doesNotHaveDuplicates()
                .hasSize(2)
                .allSatisfy(it -> assertThat(it).matches("[a-z2-9]{5}(-[a-z2-9]{5}){3}"));
    }

    @ParameterizedTest
    @EnumSource
    void serving_on_its_database_refuses_the_published_password(Database database) {
        String url = database.fresh(folder);
        StringWriter printed = new StringWriter();
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            Running running = node.running();
            DemoUser user = DemoUser.of(running.users(), running.useCases(), Instant.now());
            Demo.welcome(running, user, "http://localhost:1", new PrintWriter(printed, true));

            running.demoAgent().proposeNext(user.id());
            assertThat(waiting(running, user)).isEqualTo(1);
            DemoUser.given(running.useCases().amendIps().pause(user.id(), true));
            running.demoAgent().proposeNext(user.id());
            assertThat(waiting(running, user)).isEqualTo(1);
            DemoUser.given(running.useCases().amendIps().pause(user.id(), false));
            for (int i = 0; i < 6; i++) {
                running.demoAgent().proposeNext(user.id());
            }
            assertThat(waiting(running, user)).isEqualTo(4);
        }

        assertThat(printed.toString()).contains(SIGN_IN + "   http://localhost:1  as");
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            assertThat(signIn(node.caller(), PUBLISHED_BEFORE).status()).isEqualTo(401);
            String password = printed.toString()
                    .lines()
                    .filter(line -> line.startsWith(SIGN_IN))
                    .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                    .findFirst()
                    .orElseThrow();
            signIn(node.caller(), password).ok();
        }
    }

    @ParameterizedTest
    @EnumSource
    void serving_on_a_database_of_an_earlier_version_refuses_the_published_password(Database database) {
        String url = database.fresh(folder);
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            node.running().useCases().signUp().add(new Login(DemoUser.EMAIL, PUBLISHED_BEFORE));
            signIn(node.caller(), PUBLISHED_BEFORE).ok();
        }

        try (ServiceNode node = ServiceNode.start(folder, url)) {
            assertThat(signIn(node.caller(), PUBLISHED_BEFORE).status()).isEqualTo(401);
        }
    }

    @Test
    void a_password_that_a_user_of_that_address_chose_is_left_alone() {
        String url = Database.H2.fresh(folder);
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            node.running().useCases().signUp().add(new Login(DemoUser.EMAIL, "correct horse battery"));
        }

        try (ServiceNode node = ServiceNode.start(folder, url)) {
            signIn(node.caller(), "correct horse battery").ok();
        }
    }

    private static int waiting(Running running, DemoUser user) {
        return running.useCases()
                .readRequests()
                .page(user.id(), RequestStatus.PENDING, null, 100)
                .requests()
                .size();
    }

    /** Starts it, pastes its lines into a shell, and stops it. */
    private List<String> lines(String... command) throws IOException, InterruptedException {
        try (ServiceProcess demo = ServiceProcess.start(folder, Map.of("POLICY_PORT", "0"), command)) {
            String address = demo.address();
            List<String> lines = new ArrayList<>();
            String password = "";
            for (String line = demo.line(); lines.size() < LINES; line = demo.line()) {
                if (line.startsWith(SIGN_IN)) {
                    password = line.substring(line.lastIndexOf(' ') + 1);
                } else if (line.strip().startsWith("curl ")) {
                    lines.add(line.strip());
                }
            }

            assertThat(lines).allSatisfy(line -> assertThat(line).contains(address));
            assertThat(pasted(lines.get(0)).get("serviceRequestId").longValue()).isPositive();
            assertThat(pasted(lines.get(1)).get("hasIps").booleanValue()).isTrue();
            assertThat(pasted(lines.get(2)).get("allowed").booleanValue()).isTrue();
            JsonNode blocked = pasted(lines.get(3));
            assertThat(blocked.get("allowed").booleanValue()).isFalse();
            assertThat(blocked.get("violations").findValuesAsText("rule"))
                    .containsExactly("crypto_min_allocation", "asset_authority_protect_sell");
            ApiCaller user = signedIn(address, password);
            assertThat(user.get(TestHousehold.APP + "keys")
                            .ok()
                            .json()
                            .get("keys")
                            .findValuesAsText("name"))
                    .containsExactlyInAnyOrder("demo agent", "demo sandbox");
            hasAHistoryThatVerifies(user, address, lines.get(0));
            passwords.add(password);
            demo.terminate();
            assertThat(demo.exitCode()).describedAs(demo.err()).isZero();
            return lines;
        }
    }

    private static JsonNode pasted(String line) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(Shell.line(List.of("bash", "-c", line), List.of()));
    }

    private static ApiCaller signedIn(String address, String password) {
        ApiCaller stranger = new ApiCaller(address);
        String cookie = signIn(stranger, password).ok().header("Set-Cookie");
        return stranger.with("Cookie", cookie.substring(0, cookie.indexOf(';')));
    }

    /** @param line with the live key */
    private static void hasAHistoryThatVerifies(ApiCaller user, String address, String line) {
        JsonNode days =
                user.get(TestHousehold.APP + "portfolio/history?days=60").ok().json();
        assertThat(days.findValues("totalValue")).hasSizeGreaterThanOrEqualTo(59);
        assertThat(new HashSet<>(days.findValues("totalValue"))).hasSizeGreaterThan(50);
        List<String> ends = user.get(TestHousehold.APP + "requests")
                .ok()
                .json()
                .get("requests")
                .findValuesAsText("status");
        assertThat(ends).containsSequence("pending", "pending", "rejected", "completed");
        JsonNode first =
                user.get(TestHousehold.APP + "events?order=asc&limit=1").ok().json();
        assertThat(Instant.parse(first.at("/events/0/createdAt").asText()))
                .isBetween(Instant.now().minus(61, DAYS), Instant.now().minus(59, DAYS));

        String key = line.replaceAll(".*Bearer ([^']+).*", "$1");
        CommandLineRun run = new CommandLineRun(Map.of("KEY", key));
        assertThat(run.main("verify", "--url", address, "--api-key-env", "KEY", "--recompute"))
                .describedAs(run.out() + run.err())
                .isZero();
    }

    private static Seen signIn(ApiCaller stranger, String password) {
        return stranger.post(
                TestHousehold.APP + "session",
                "{\"email\":\"" + DemoUser.EMAIL + "\",\"password\":\"" + password + "\"}");
    }
}
