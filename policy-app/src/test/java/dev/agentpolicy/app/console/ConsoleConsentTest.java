package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.app.NpmProject;
import dev.agentpolicy.app.NpmProject.Result;
import dev.agentpolicy.app.guard.Clocks;
import dev.agentpolicy.app.guard.SettableClocks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A program on this computer opens a browser, and a person consents, or does not. */
class ConsoleConsentTest extends ConsoleBench {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();
    private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    /** From the pasted address to the first decision. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final int MAX_CLICKS = 5;
    private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    private final SettableClocks time = new SettableClocks(Instant.now().truncatedTo(ChronoUnit.MICROS));
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> opened = new LinkedBlockingQueue<>();
    private HttpServer program;
    private String redirect;
    private String client;

    @BeforeAll
    void listen() throws Exception {
        program = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        program.createContext("/callback", exchange -> {
            answers.add(exchange.getRequestURI().getRawQuery());
            byte[] done =
                    "<!doctype html><title>Program</title><p>The program has it.".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, done.length);
            exchange.getResponseBody().write(done);
            exchange.close();
        });
        program.createContext("/browser", exchange -> {
            opened.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        program.start();
        redirect = "http://127.0.0.1:" + program.getAddress().getPort() + "/callback";
        client = post(
                        "/oauth/register",
                        "application/json",
                        "{\"client_name\":\"Helper\",\"redirect_uris\":[\"http://127.0.0.1/callback\"]}")
                .get("client_id")
                .asString();
    }

    @AfterAll
    void stopListening() {
        program.stop(0);
    }

    @Override
    Clocks clocks() {
        return time.running();
    }

    private JsonNode post(String path, String type, String body) throws IOException, InterruptedException {
        return JSON.readTree(HTTP.send(
                        HttpRequest.newBuilder(URI.create(service.address() + path))
                                .header("Content-Type", type)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body());
    }

    private String asking(String scope) {
        return "/oauth/authorize?response_type=code&client_id=" + client + "&redirect_uri=" + redirect
                + "&code_challenge=" + CHALLENGE + "&code_challenge_method=S256&scope=" + scope;
    }

    private String answer() throws InterruptedException {
        String query = answers.poll(30, TimeUnit.SECONDS);
        assertThat(query).isNotNull();
        return query;
    }

    private ConsoleAgent connected() throws IOException, InterruptedException {
        String code = answer().replaceAll("(^|.*&)code=([^&]*).*", "$2");
        JsonNode tokens = post(
                "/oauth/token",
                "application/x-www-form-urlencoded",
                "grant_type=authorization_code&code=" + code + "&client_id=" + client + "&redirect_uri=" + redirect
                        + "&code_verifier=" + VERIFIER);
        return ConsoleAgent.withKey(
                service.address(), tokens.get("access_token").asString());
    }

    @Test
    void on_a_phone_a_person_signs_in_on_the_way_sets_limits_and_the_program_acts_within_them() throws Exception {
        ConsoleHousehold household = household();
        long begun = System.nanoTime();
        Tab tab = browser.open(service.address(), NARROW).follow(asking("read%20validate"));
        tab.sees("Sign in").fill("email", household.email()).fill("password", ConsoleHousehold.PASSWORD);
        tab.click("Sign in").sees("It calls itself Helper").sees("a program on this computer");
        assertThat(tab.text(".host")).isEqualTo("127.0.0.1");
        assertThat(tab.text("form")).contains("Read", "Validate").doesNotContain("Propose trades");
        assertThat(tab.is("document.getElementById('connect-usd').value === '500'"))
                .isTrue();
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Connect");
        ConsoleAgent agent = connected();
        assertThat(agent.call("POST", "/policy/validate", ConsoleHousehold.SELL_SPY)
                        .toString())
                .contains("its daily cap is 500 USD");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT);
        assertThat(tab.clicks())
                .as("two fields, Sign in and Connect")
                .isEqualTo(4)
                .isLessThanOrEqualTo(MAX_CLICKS);

        Tab agents = household.tab(browser, WIDE).go("/agents").sees("Connected: 127.0.0.1");
        assertThat(Axe.violations(agents)).isEmpty();
        assertThat(agents.text("main")).doesNotContain("Rotate the key of Helper");
        agents.click("End the connection of Helper")
                .sees("End this connection?")
                .click("End connection");
        agents.until("!document.querySelector('main').textContent.includes('End the connection of Helper')");
        assertThat(agents.complaints()).isEmpty();
        agents.go("/activity").sees("The connection Helper of 127.0.0.1 was ended.");
    }

    @Test
    void mcp_remote_opens_the_browser_and_is_connected_once_a_person_consents() throws Exception {
        NpmProject node = NpmProject.install("node/mcp", "connecting mcp-remote by consent");
        Tab tab = household().tab(browser, WIDE);
        Map<String, String> environment = Map.of(
                "BASE_URL",
                service.address(),
                "WAYS",
                "mcp-remote 0.15.1",
                "BROWSER_URL",
                redirect.replace("/callback", "/browser"));
        ExecutorService running = Executors.newSingleThreadExecutor();
        try {
            Future<Result> result =
                    running.submit(() -> node.run(environment, List.of("npm", "run", "--silent", "oauth")));

            String address = opened.poll(60, TimeUnit.SECONDS);
            assertThat(address).isNotNull();
            tab.follow(address.substring(service.address().length()))
                    .sees("a program on this computer")
                    .click("Connect");

            assertThat(result.get().exitCode()).describedAs(result.get().text()).isZero();
            assertThat(result.get().text()).contains("mcp-remote 0.15.1: 11 tools");
        } finally {
            running.shutdownNow();
        }
    }

    @Test
    void by_keyboard_a_person_refuses() throws Exception {
        Tab tab = household().tab(browser, WIDE).follow(asking("propose")).sees("What it may do");
        new Keyboard(tab).enter("Refuse");

        assertThat(answer()).contains("error=access_denied");
    }

    @Test
    void another_browser_and_an_answered_request_are_told_to_begin_again() throws Exception {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).follow(asking("read")).sees("What it may do");
        String path = tab.evaluate("location.pathname").asString();

        household.tab(browser, WIDE).go(path).sees("was begun in another browser; begin again");
        tab.click("Connect");
        connected();
        tab.go(path).sees("This request was answered");
    }

    @Test
    void a_new_user_without_a_policy_connects_in_five_clicks_and_is_led_to_one() throws Exception {
        long begun = System.nanoTime();
        Tab tab = browser.open(service.address(), NARROW).follow(asking("read%20validate"));
        tab.sees("Sign in").click("Create an account").fill("email", "fresh@example.org");
        tab.fill("password", ConsoleHousehold.PASSWORD).click("Create account").sees("You have no policy yet");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Connect");
        assertThat(connected()
                        .call("POST", "/policy/validate", ConsoleHousehold.SELL_SPY)
                        .get("allowed")
                        .asBoolean())
                .isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT);
        assertThat(tab.clicks())
                .as("Create an account, two fields, Create account and Connect")
                .isEqualTo(MAX_CLICKS);
        tab.go("/").sees("this is missing: a policy");
    }

    @Test
    void a_program_without_a_name_or_with_one_that_imitates_another_is_shown_by_its_host_alone() throws Exception {
        ConsoleHousehold household = household();
        for (String name : List.of("", "Cl\\u0430ude", "Cla\\u200bude", "\\u202eedualC", "Claude\\u2060")) {
            String redirects = "\"redirect_uris\":[\"https://robot.example/cb\",\"com.example.robot:/cb\"]";
            String imitator = post(
                            "/oauth/register",
                            "application/json",
                            "{\"client_name\":\"" + name + "\"," + redirects + "}")
                    .get("client_id")
                    .asString();
            for (String to : List.of("https://robot.example/cb", "com.example.robot:/cb")) {
                Tab tab = household
                        .tab(browser, NARROW)
                        .follow("/oauth/authorize?response_type=code&client_id=" + imitator + "&redirect_uri=" + to
                                + "&code_challenge=" + CHALLENGE + "&code_challenge_method=S256")
                        .sees("It gives no name that can be shown.");

                String host = to.startsWith("https:") ? "robot.example" : "com.example.robot";
                assertThat(tab.text(".host")).isEqualTo(host);
                assertThat(tab.text("main")).contains("not verified").doesNotContainIgnoringCase("ude");
                assertThat(tab.is("document.documentElement.scrollWidth > innerWidth"))
                        .isFalse();
            }
        }
    }

    @Test
    void a_request_of_ten_minutes_ago_is_answered_no_more() throws Exception {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).follow(asking("read")).sees("What it may do");
        time.pass(Duration.ofMinutes(10));

        tab.click("Connect").sees("is older than ten minutes");
        String path = tab.evaluate("location.pathname").asString();
        tab.go(path).sees("is older than ten minutes");
        assertThat(household.app().get("/keys").toString()).doesNotContain("Helper");
    }
}
