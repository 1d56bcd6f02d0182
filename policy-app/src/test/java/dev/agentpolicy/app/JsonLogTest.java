package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.domain.agent.Credential;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With POLICY_LOG_FORMAT=json a process logs one object a line, with the id of the call and without secrets. */
class JsonLogTest {
    private static final String PASSWORD = "a-password-nobody-guesses";
    private static final String WRONG_PASSWORD = "a-password-that-is-wrong";
    private static final String DATABASE_PASSWORD = "a-password-of-the-database";
    private static final String IN_A_BODY = "words-of-a-rationale";
    private static final String IN_A_QUERY = "words-of-a-query";
    private static final String LOGIN = "{\"email\":\"log@example.com\",\"password\":\"%s\"}";

    private final Set<String> secrets =
            new HashSet<>(Set.of(PASSWORD, WRONG_PASSWORD, DATABASE_PASSWORD, IN_A_BODY, IN_A_QUERY));

    @TempDir
    Path folder;

    @Test
    void every_line_is_an_object_that_names_its_call_and_no_secret_is_told() throws Exception {
        String database = TestPostgres.freshDatabase();
        try (ServiceProcess process = ServiceProcess.startMain(folder, environment(database))) {
            ApiCaller stranger = new ApiCaller(process.address());
            live(stranger);
            ApiCaller user = signIn(stranger);
            TestPostgres.execute(database, "ALTER TABLE app_session RENAME TO app_session_gone");
            assertThat(user.with("X-Request-Id", "forced-error").get(APP + "me").status())
                    .isEqualTo(500);
            process.terminate();
            assertThat(process.exitCode()).isZero();

            List<JsonNode> lines = objects(process.err());
            assertThat(secrets).hasSizeGreaterThan(15).noneMatch(process.err()::contains);
            assertThat(secrets).noneMatch(process.line()::contains);
            assertThat(lines.get(0).get("level").textValue()).isEqualTo("INFO");
            theFailedCallIsThere(lines);
            theCallsAreThere(lines);
        }
    }

    private static Map<String, String> environment(String database) {
        return Map.of(
                "POLICY_PORT",
                "0",
                "POLICY_DB_URL",
                database,
                "POLICY_DB_PASSWORD",
                DATABASE_PASSWORD,
                "POLICY_LOG_FORMAT",
                "json",
                "POLICY_LOG_CALLS",
                "all");
    }

    /** A user with two keys, and an agent that uses them rightly and wrongly. */
    private void live(ApiCaller stranger) throws Exception {
        stranger.post(APP + "users", LOGIN.formatted(PASSWORD)).ok();
        assertThat(stranger.post(APP + "session", LOGIN.formatted(WRONG_PASSWORD))
                        .status())
                .isEqualTo(401);
        TestHousehold household = new TestHousehold(signIn(stranger), "");
        household.user().put(APP + "ips", TestHousehold.demo("ips.json")).ok();
        household
                .user()
                .put(APP + "custodians/paper", TestHousehold.demo("holdings.json"))
                .ok();
        for (String type : List.of("live", "test")) {
            JsonNode minted = household.mint(type);
            String id = minted.get("agentKeyId").textValue();
            call(household.agent(minted), isSecret(minted));
            call(
                    household.agent(minted),
                    isSecret(household
                            .user()
                            .post(APP + "keys/" + id + "/rotate", "")
                            .ok()
                            .json()));
        }
        call(stranger, isSecret("svc_live_" + "0a".repeat(32)));
        stranger.withKey("malformed-" + IN_A_QUERY).get(API + "whoami");
        stranger.send(IN_A_QUERY, API + "whoami", null);
        stranger.with("X-HTTP-Method-Override", IN_A_QUERY).get(API + "whoami");
    }

    private static void call(ApiCaller address, String key) {
        ApiCaller agent = new ApiCaller(address.address()).withKey(key);
        String proposal = trade("buy", "SPY", "tradfi", "10").replace("}", ",\"rationale\":\"" + IN_A_BODY + "\"}");
        agent.get(API + "whoami");
        agent.get(API + "audit?limit=" + IN_A_QUERY);
        agent.get(API + "no/such/" + IN_A_QUERY);
        agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "10"));
        agent.with("Idempotency-Key", IN_A_QUERY).post(API + "trades/propose", proposal);
        agent.post(API + "policy/validate", "{\"" + IN_A_BODY + "\": " + IN_A_BODY);
    }

    /** Signs in; the cookies of the session and of the device are secrets. */
    private ApiCaller signIn(ApiCaller stranger) throws Exception {
        List<String> cookies =
                stranger
                        .post(APP + "session", LOGIN.formatted(PASSWORD))
                        .ok()
                        .headers()
                        .allValues("Set-Cookie")
                        .stream()
                        .map(cookie -> cookie.replaceAll(";.*", ""))
                        .toList();
        for (String cookie : cookies) {
            isSecret(cookie.substring(cookie.indexOf('=') + 1));
        }
        return stranger.with("Cookie", String.join("; ", cookies));
    }

    private String isSecret(JsonNode minted) throws Exception {
        return isSecret(minted.get("key").textValue());
    }

    /** Neither it nor its hash, which is what the database is asked for. */
    private String isSecret(String secret) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        secrets.add(secret);
        secrets.add(secret.substring(secret.length() - 32));
        secrets.add(HexFormat.of().formatHex(hash));
        Credential.parse(secret).ifPresent(credential -> secrets.add(credential.hash()));
        return secret;
    }

    private static List<JsonNode> objects(String log) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (String line : log.lines().toList()) {
            objects.add(new ObjectMapper().readTree(line));
        }
        assertThat(objects).isNotEmpty().allSatisfy(line -> {
            assertThat(line.isObject()).isTrue();
            assertThat(line.get("timestamp").longValue()).isPositive();
            assertThat(line.get("formattedMessage").textValue()).isNotBlank();
        });
        return objects;
    }

    private static void theFailedCallIsThere(List<JsonNode> lines) {
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.get("level").textValue()).isEqualTo("ERROR");
            assertThat(line.get("mdc").get("requestId").textValue()).isEqualTo("forced-error");
            assertThat(line.get("throwable").toString()).contains("app_session");
        });
    }

    private static void theCallsAreThere(List<JsonNode> lines) {
        List<JsonNode> calls = lines.stream()
                .filter(line -> line.get("loggerName").textValue().equals("dev.agentpolicy.calls"))
                .toList();
        assertThat(calls)
                .hasSizeGreaterThan(30)
                .allSatisfy(line ->
                        assertThat(line.get("mdc").get("requestId").textValue()).isNotEmpty());
        assertThat(calls)
                .extracting(line -> line.get("formattedMessage").textValue())
                .contains(
                        "POST /api/agent/v1/policy/validate 200",
                        "POST /api/agent/v1/policy/validate 400",
                        "GET /api/agent/v1/whoami 401",
                        "GET (unknown) 404",
                        "(unknown) (unknown) 405",
                        "GET /api/app/v1/me 500");
    }
}
