package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.agent.Viewer.ViewerRequest;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls and a key rotation on a running service, checked by every verifier (docs/verify.md). */
class LiveVerificationTest {
    private static final long SEED = 20_261_121L;
    private static final String EVENTS = "/api/agent/v1/policy/events?order=asc&limit=40";
    private static final Pattern ROW = Pattern.compile("\"seq\":([0-9]+),\"eventId\"");
    private static final Pattern HEAD = Pattern.compile("\"head\":\\{[^}]*\"seq\":([0-9]+)");
    private static final Pattern CURSOR = Pattern.compile("\"nextCursor\":\"([^\"]+)\"");

    @TempDir
    static Path folder;

    private static Map<String, String> environment;
    private static Running running;
    private static String key;
    private static String firstKey;
    private static UserId user;

    @BeforeAll
    static void live() throws Exception {
        environment = Map.of(
                "POLICY_PORT",
                "0",
                "POLICY_RATE_LIMIT_PER_SECOND",
                "100000",
                "POLICY_DB_URL",
                "jdbc:h2:file:" + folder.resolve("policy"),
                "POLICY_MASTER_KEY_FILE",
                folder.resolve("master-key.json").toString());
        running = QuickService.start(Config.of(environment));
        key = DemoUser.of(running.users(), running.useCases(), Instant.now())
                .live()
                .reveal();
        user = running.users().byEmail(DemoUser.EMAIL).orElseThrow().id();
        Random random = new Random(SEED);
        work(random);
        view();
        rotate();
        work(random);
        Files.writeString(folder.resolve("events.json"), pages());
        Files.writeString(folder.resolve("signing-keys.json"), get("/api/agent/v1/signing-keys"));
    }

    @AfterAll
    static void stop() {
        running.close();
    }

    @Test
    void the_command_accepts_the_running_service_and_every_verdict_follows() {
        CommandLineRun run = new CommandLineRun(Map.of("KEY", key));

        assertThat(run.main(
                        "verify", "--url", running.address(), "--api-key-env", "KEY", "--pin", firstKey, "--recompute"))
                .describedAs(run.out() + run.err() + " seed " + SEED)
                .isZero();
        assertThat(run.out())
                .matches("ok \\d+ rows, head [0-9a-f]{64}, \\d+ verdicts recomputed .* \\[pinned: event key " + firstKey
                        + "; trusted on first use: anchor key \\S{43}]\\R");
    }

    @Test
    void it_goes_on_where_it_ended() throws Exception {
        CommandLineRun run = new CommandLineRun(Map.of("KEY", key));
        String save = folder.resolve("state").toString();
        String[] options = {"--url", running.address(), "--api-key-env", "KEY", "--save", save};

        assertThat(run.main("verify", options)).isZero();
        post("/api/agent/v1/policy/validate", trade(new Random(1)));
        assertThat(run.main("verify", options))
                .describedAs(run.out() + run.err())
                .isZero();
    }

    /** The second is not read; the third has a row more. */
    @Test
    void a_page_that_is_asked_for_again_is_the_same_until_the_chain_grows() throws Exception {
        String newest = EVENTS.replace("asc", "desc");
        String page = get(newest);

        assertThat(rows(get(newest))).isEqualTo(rows(page)).contains("guardrail.decision");
        post("/api/agent/v1/policy/validate", trade(new Random(2)));
        assertThat(rows(get(newest))).isNotEqualTo(rows(page));
        assertThat(rows(get(newest)).substring(20)).contains(rows(page).substring(0, 1_000));
    }

    @Test
    void pages_that_are_fetched_while_an_agent_writes_end_with_the_row_that_their_head_names() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            Random random = new Random(3);
            while (!isOver.get()) {
                new ApiCaller(running.address())
                        .withKey(key)
                        .with("Content-Type", "application/json")
                        .send("POST", "/api/agent/v1/policy/validate", trade(random));
            }
        });
        try {
            for (int i = 0; i < 20; i++) {
                String page = get(EVENTS.replace("40", "500"));
                for (Matcher next = CURSOR.matcher(page); next.find(); next = CURSOR.matcher(page)) {
                    page = get(EVENTS.replace("40", "500") + "&cursor=" + next.group(1));
                }
                assertThat(page).contains("],\"nextCursor\":null,");
                assertThat(last(ROW, page)).isEqualTo(last(HEAD, page)).isPositive();
            }
        } finally {
            isOver.set(true);
            writer.join();
        }
    }

    /** The number in the last text of a form. */
    private static long last(Pattern form, String page) {
        return form.matcher(page)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .reduce(0, (before, next) -> next);
    }

    private static String rows(String page) {
        return page.substring("{\"events\":[".length(), page.indexOf("],\"nextCursor\""));
    }

    @Test
    void there_is_one_rotation_in_it() throws Exception {
        assertThat(Files.readString(folder.resolve("events.json")))
                .containsOnlyOnce("\"eventType\":\"signing_key.rotated\"");
    }

    @Test
    void there_are_a_viewer_and_its_end_in_it() throws Exception {
        assertThat(Files.readString(folder.resolve("events.json")).split("\"keyClass\":\"viewer\"", -1))
                .hasSize(3);
    }

    @Test
    void the_console_accepts_its_pages() throws Exception {
        assumeTrue(isThere("node"), "node is not installed");
        String events = folder.resolve("events.json").toString();
        String keys = folder.resolve("signing-keys.json").toString();

        assertThat(Verifiers.console(List.of(events, keys, "--pin", firstKey)).line())
                .startsWith("ok ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"node verify.mjs", "python3 verify.py", "sh verify.sh"})
    void the_scripts_accept_its_pages(String script) throws Exception {
        String[] words = script.split(" ");
        assumeTrue(isThere(words[0]), words[0] + " is not installed");

        String said = run(words[0], docs().resolve("verify").resolve(words[1]).toString());
        assertThat(said).startsWith("ok ");
    }

    private static void work(Random random) throws Exception {
        for (int i = 0; i < 60; i++) {
            switch (random.nextInt(6)) {
                case 0 ->
                    post(
                            "/api/agent/v1/trades/propose",
                            trade(random).replace("}", ",\"rationale\":\"\u00e9 \\\"x\\\"\"}"));
                case 1 ->
                    post(
                            "/api/agent/v1/policy/validate-batch",
                            "{\"trades\":[" + trade(random) + ",{\"action\":\"x\"}," + trade(random) + "]}");
                case 2 ->
                    running.useCases()
                            .amendIps()
                            .put(user, StoreSamples.ips("0.0" + (random.nextInt(8) + 1)))
                            .toCompletableFuture()
                            .join();
                default -> post("/api/agent/v1/policy/validate", trade(random));
            }
        }
        running.useCases().readRequests().page(user, null, null, 10).requests().forEach(request -> {
            var attest = running.useCases().attestRequest();
            var answer =
                    random.nextBoolean() ? attest.accept(user, request.id()) : attest.reject(user, request.id(), "No.");
        });
    }

    private static void view() {
        var viewers = running.useCases().manageViewers();
        var made = viewers.make(ConfirmingOwner.unconfirmed(user), new ViewerRequest("Adviser", 90));
        viewers.revoke(user, made.value().viewer().id()).value();
    }

    /** Another node goes over to the next key and leads the chain over; this one finds out by itself. */
    private static void rotate() throws Exception {
        Config config = Config.of(environment);
        try (JdbcStore other = Wiring.open(config)) {
            firstKey =
                    other.sealedKeys().active(Purpose.EVENT).orElseThrow().key().kid();
            KeyRing ring = KeyRing.open(config.masterKeyFile(), other.sealedKeys(), Clock.systemUTC());
            other.accounts(ring.signer(Purpose.EVENT));
            ring.prepareNext(Instant.now());
            ring.refresh();
            other.leadOverIdleChains(10).toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
    }

    private static String pages() throws Exception {
        List<String> pages = new ArrayList<>();
        String page = get(EVENTS);
        pages.add(page);
        for (Matcher next = CURSOR.matcher(page); next.find(); next = CURSOR.matcher(page)) {
            page = get(EVENTS + "&cursor=" + next.group(1));
            pages.add(page);
        }
        assertThat(pages).hasSizeGreaterThan(2);
        return "[" + String.join(",", pages) + "]";
    }

    private static String trade(Random random) {
        boolean isCrypto = random.nextBoolean();
        return "{\"action\":\"" + (random.nextBoolean() ? "buy" : "sell") + "\",\"assetSymbol\":\""
                + (isCrypto ? "BTC" : "SPY") + "\",\"assetType\":\"" + (isCrypto ? "crypto" : "tradfi")
                + "\",\"amountUsd\":" + random.nextInt(1_000_000) / 100.0 + "}";
    }

    private static String get(String path) throws InterruptedException {
        return send("GET", path, null);
    }

    private static void post(String path, String body) throws InterruptedException {
        send("POST", path, body);
    }

    /** Not faster than a key may call. */
    private static String send(String method, String path, String body) throws InterruptedException {
        ApiCaller agent = new ApiCaller(running.address()).withKey(key).with("Content-Type", "application/json");
        ApiCaller.Seen seen = agent.send(method, path, body);
        if (seen.status() == 429) {
            TimeUnit.SECONDS.sleep(1);
            seen = agent.send(method, path, body);
        }
        return seen.ok().text();
    }

    private static String run(String program, String script) throws Exception {
        Process process = new ProcessBuilder(
                        program,
                        script,
                        folder.resolve("events.json").toString(),
                        folder.resolve("signing-keys.json").toString(),
                        "--pin",
                        firstKey)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(said).isZero();
        return said;
    }

    private static boolean isThere(String program) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(
                            program, program.equals("sh") ? "-c" : "--version", "command -v jq openssl")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static Path docs() {
        Path here = Path.of("").toAbsolutePath();
        return Files.isDirectory(here.resolve("docs")) ? here.resolve("docs") : here.resolveSibling("docs");
    }
}
