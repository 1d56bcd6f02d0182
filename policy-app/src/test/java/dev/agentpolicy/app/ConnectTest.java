package dev.agentpolicy.app;

import static dev.agentpolicy.app.ConnectingClient.CONSENT;
import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.ConnectingClient.Waiting;
import dev.agentpolicy.app.guard.SettableClocks;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.usecase.connection.GrantTokens;
import dev.agentpolicy.domain.usecase.connection.OAuthClients;
import dev.agentpolicy.domain.usecase.connection.RequestConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs are connected by consent, and what others may try with that. */
class ConnectTest {
    private static final String CLAUDE = "https://claude.ai/oauth/mcp-oauth-client-metadata";
    private static final String CLAUDE_REDIRECT = "https://claude.ai/api/mcp/auth_callback";
    private static final String LOOPBACK = "http://127.0.0.1:5000/callback";
    private static final String MINE = "https://robot.example/cb?a=b";

    private static final SettableClocks CLOCKS = new SettableClocks(Instants.truncated(Instant.now()));
    private static ServiceNode node;

    @BeforeAll
    static void start(@TempDir Path folder) {
        node = ServiceNode.start(
                folder, Database.H2.fresh(folder), Map.of("POLICY_OAUTH_CLIENT_DOCUMENTS", "pinned"), CLOCKS.clocks());
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static void pass(Duration time) {
        CLOCKS.pass(time);
    }

    private static ConnectingClient client() {
        return ConnectingClient.registered(node.caller(), MINE);
    }

    private static String error(Seen seen) {
        return seen.json().get("error").textValue();
    }

    private static String token(JsonNode tokens) {
        return tokens.get("refresh_token").textValue();
    }

    /** A user of their own, for a test that counts keys or waits. */
    private static TestHousehold another() {
        return TestHousehold.withPolicy(node.caller());
    }

    @Test
    void a_program_finds_its_way_from_the_address_alone_and_acts_within_what_the_user_set() {
        String address = node.caller().address();
        Seen stranger = node.caller().post("/mcp", "{}");
        assertThat(stranger.status()).isEqualTo(401);
        assertThat(stranger.header("WWW-Authenticate"))
                .isEqualTo("Bearer resource_metadata=\"" + address
                        + "/.well-known/oauth-protected-resource/mcp\", scope=\"read validate propose\"");
        JsonNode resource = node.caller()
                .get("/.well-known/oauth-protected-resource/mcp")
                .ok()
                .json();
        assertThat(resource.get("resource").textValue()).isEqualTo(address + "/mcp");
        assertThat(resource.at("/authorization_servers/0").textValue()).isEqualTo(address);
        assertThat(node.caller()
                        .get("/.well-known/oauth-protected-resource")
                        .ok()
                        .json()
                        .get("resource")
                        .textValue())
                .isEqualTo(address);
        JsonNode server = node.caller()
                .get("/.well-known/oauth-authorization-server")
                .ok()
                .json();
        assertThat(server.get("issuer").textValue()).isEqualTo(address);
        assertThat(server.get("token_endpoint").textValue()).isEqualTo(address + "/oauth/token");
        assertThat(server)
                .isEqualTo(node.caller()
                        .get("/.well-known/openid-configuration")
                        .ok()
                        .json());

        TestHousehold user = another();
        ConnectingClient client = client();
        Waiting waiting = client.ask("resource", address + "/mcp", "scope", "read validate offline_access");
        JsonNode shown = waiting.of(user).get(waiting.path()).ok().json();
        assertThat(shown.at("/client/name").textValue()).isEqualTo("Robot");
        assertThat(shown.at("/client/host").textValue()).isEqualTo("robot.example");
        assertThat(shown.at("/client/isVerifiedHost").booleanValue()).isFalse();
        assertThat(shown.get("scopes")).extracting(JsonNode::textValue).containsExactly("read", "validate");
        assertThat(shown.has("replaces")).isFalse();
        assertThat(user.user().get(APP + "inbox").ok().text()).contains("Robot of robot.example asks to be connected");
        Map<String, String> answer = ConnectingClient.query(waiting.of(user)
                .post(waiting.path() + "/approve", CONSENT)
                .ok()
                .json()
                .get("redirectTo")
                .textValue());
        assertThat(answer)
                .containsEntry("a", "b")
                .containsEntry("state", "a b&c")
                .containsEntry("iss", address);

        assertThat(user.user().get(APP + "inbox").ok().text()).doesNotContain("asks to be connected");
        Seen given = client.exchange(answer.get("code"), "resource", address + "/mcp");
        assertThat(given.header("Cache-Control")).isEqualTo("no-store");
        JsonNode tokens = given.ok().json();
        assertThat(tokens.get("access_token").textValue()).matches("svc_at_[0-9a-f]{64}");
        assertThat(token(tokens)).matches("svc_rt_[0-9a-f]{64}");
        assertThat(tokens.get("token_type").textValue()).isEqualTo("Bearer");
        assertThat(tokens.get("expires_in").intValue()).isEqualTo(3600);
        assertThat(tokens.get("scope").textValue()).isEqualTo("read validate");

        ApiCaller agent = client.with(tokens);
        assertThat(agent.get(API + "whoami").ok().json().get("userId").textValue())
                .isEqualTo(user.userId());
        assertThat(agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "500"))
                        .ok()
                        .json()
                        .get("violations"))
                .isEmpty();
        assertThat(agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "501"))
                        .ok()
                        .text())
                .contains("its daily cap is 500 USD");
        Seen beyond = agent.post(API + "trades/propose", trade("buy", "SPY", "tradfi", "1"));
        assertThat(beyond.status()).isEqualTo(403);
        assertThat(beyond.header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", resource_metadata=\"" + address
                        + "/.well-known/oauth-protected-resource\", scope=\"propose\"");
        Seen tools = agent.post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
        assertThat(tools.ok().text()).contains("propose_trade", "validate_trade");

        JsonNode key = user.user().get(APP + "keys").ok().json().at("/keys/0");
        assertThat(key.at("/client/id").textValue()).isEqualTo(client.id());
        assertThat(key.at("/client/host").textValue()).isEqualTo("robot.example");
        assertThat(key.get("last4").isNull()).isTrue();
        assertThat(key.get("expiresAt").isNull()).isFalse();
        JsonNode minted =
                user.user().get(APP + "events?eventType=key.minted").ok().json().at("/events/0/payload");
        assertThat(minted.at("/client/host").textValue()).isEqualTo("robot.example");
        assertThat(minted.has("last4")).isFalse();
        assertThat(user.user().get(APP + "activity?kinds=key.minted").ok().text())
                .contains("You connected Robot of robot.example.");
        assertThat(user.user()
                        .post(APP + "keys/" + key.get("agentKeyId").textValue() + "/rotate", "")
                        .json()
                        .get("error")
                        .textValue())
                .isEqualTo("is_a_connection");

        user.user().delete(APP + "keys/" + key.get("agentKeyId").textValue()).ok();
        Seen ended = agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"));
        assertThat(ended.status()).isEqualTo(401);
        assertThat(ended.header("WWW-Authenticate")).startsWith("Bearer error=\"invalid_token\", resource_metadata=");
        assertThat(agent.get(API + "whoami").status()).isEqualTo(401);
        assertThat(error(client.refresh(token(tokens)))).isEqualTo("invalid_grant");
    }

    @Test
    void a_code_works_once_and_its_second_use_ends_the_connection() {
        ConnectingClient client = client();
        String code = client.consented(another(), CONSENT);
        JsonNode tokens = client.exchange(code).ok().json();

        Seen again = client.exchange(code);

        assertThat(again.status()).isEqualTo(400);
        assertThat(error(again)).isEqualTo("invalid_grant");
        assertThat(client.with(tokens).get(API + "whoami").status()).isEqualTo(401);
        assertThat(error(client.refresh(token(tokens)))).isEqualTo("invalid_grant");
    }

    @ParameterizedTest
    @CsvSource({
        "code_verifier,dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl,invalid_grant",
        "code_verifier,,invalid_grant",
        "client_id,svc_client_00,invalid_grant",
        "client_id,,invalid_request",
        "redirect_uri,https://robot.example/other,invalid_grant",
        "redirect_uri,,invalid_grant",
        "code,0000,invalid_grant",
        "resource,https://elsewhere.example/mcp,invalid_target",
        "grant_type,password,unsupported_grant_type",
        "grant_type,,invalid_request"
    })
    void a_code_that_was_injected_is_of_no_use(String name, String value, String expected) {
        ConnectingClient client = client();
        String code = client.consented(another(), CONSENT);

        Seen seen = client.exchange(code, name, value);

        assertThat(seen.status()).isEqualTo(400);
        assertThat(error(seen)).isEqualTo(expected);
        assertThat(client.exchange(code).status()).isEqualTo(200);
    }

    @Test
    void a_code_is_over_after_a_minute() {
        ConnectingClient client = client();
        String code = client.consented(another(), CONSENT);
        pass(Duration.ofSeconds(60));

        assertThat(error(client.exchange(code))).isEqualTo("invalid_grant");
    }

    @Test
    void an_address_that_is_not_registered_is_never_gone_to() {
        ConnectingClient client = client();
        for (String other : List.of(
                "https://robot.example/cb",
                "https://robot.example/cb?a=b&c",
                "https://robot.example.evil.example/cb?a=b",
                "https://robot.example@evil.example/cb?a=b",
                "http://robot.example/cb?a=b",
                "javascript:alert(1)",
                LOOPBACK)) {
            Seen seen = client.authorize("redirect_uri", other);
            assertThat(seen.status()).as(other).isEqualTo(400);
            assertThat(seen.header("Location")).isEmpty();
            assertThat(seen.header("Content-Type")).startsWith("text/html");
            assertThat(seen.text()).doesNotContain("evil.example", "href");
        }
        ConnectingClient claude = new ConnectingClient(node.caller(), CLAUDE, CLAUDE_REDIRECT);
        for (String other : List.of(MINE, LOOPBACK, CLAUDE_REDIRECT + "/")) {
            Seen seen = claude.authorize("redirect_uri", other);
            assertThat(seen.status()).as(other).isEqualTo(400);
            assertThat(seen.header("Location")).isEmpty();
        }
        assertThat(client.authorize("client_id", "<script>").status()).isEqualTo(400);
        assertThat(client.authorize("client_id", null).status()).isEqualTo(400);
    }

    @Test
    void an_error_goes_back_only_to_this_computer_or_to_a_program_that_is_known() {
        String address = node.caller().address();
        Seen page = client().authorize("response_type", "token");
        assertThat(page.status()).isEqualTo(400);
        assertThat(page.header("Location")).isEmpty();
        assertThat(page.text()).contains("robot.example", "unsupported_response_type");

        ConnectingClient here = ConnectingClient.registered(node.caller(), "http://localhost/callback");
        ConnectingClient claude = new ConnectingClient(node.caller(), CLAUDE, CLAUDE_REDIRECT);
        for (ConnectingClient known :
                List.of(new ConnectingClient(node.caller(), here.id(), "http://localhost:9/callback"), claude)) {
            Seen back = known.authorize("code_challenge_method", "plain");
            assertThat(back.status()).isEqualTo(302);
            assertThat(back.header("Location")).startsWith(known.redirectUri() + "?");
            assertThat(ConnectingClient.query(back.header("Location")))
                    .containsEntry("error", "invalid_request")
                    .containsEntry("state", "a b&c")
                    .containsEntry("iss", address);
            assertThat(ConnectingClient.query(known.authorize("scope", "admin").header("Location")))
                    .containsEntry("error", "invalid_scope");
            assertThat(ConnectingClient.query(
                            known.authorize("resource", "https://other.example").header("Location")))
                    .containsEntry("error", "invalid_target");
            assertThat(ConnectingClient.query(
                            known.authorize("code_challenge", "short").header("Location")))
                    .containsEntry("error", "invalid_request");
        }
        assertThat(claude.authorize("resource", address + "/").status()).isEqualTo(302);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "JavaScript://x/%0aalert(1)",
                "data:text/html,x",
                "file:///etc/passwd",
                "intent://x#Intent;end",
                "http://robot.example/cb",
                "http://127.0.0.1.evil.example/cb",
                "http://localhost@evil.example/cb",
                "https://user:password@robot.example/cb",
                "https://robot.example/cb#fragment",
                "https:///cb",
                "https:cb",
                "/cb",
                "robot:/cb",
                "blob:https://robot.example/1",
                "vbscript:x",
                "https.evil://claude.ai/cb",
                "HTTP.evil.example://claude.ai/cb",
                "https.evil:/cb",
                "https://röbot.example/cb",
                " https://robot.example/cb",
                ""
            })
    void an_address_that_could_run_something_or_leak_a_code_cannot_be_registered(String bad) {
        Seen seen = node.caller()
                .post("/oauth/register", "{\"redirect_uris\":[\"https://robot.example/cb\",\"" + bad + "\"]}");

        assertThat(seen.status()).isEqualTo(400);
        assertThat(error(seen)).isEqualTo("invalid_redirect_uri");
        assertThat(seen.json().get("error_description").textValue())
                .contains(bad.substring(0, Math.min(20, bad.length())));
    }

    @Test
    void a_registration_is_answered_without_null_members() {
        String redirects = "[\"cursor://anysphere.cursor-mcp/oauth/callback\","
                + "\"https://www.cursor.com/agents/mcp/oauth/callback\",\"http://localhost:8787/callback\","
                + "\"com.example.app:/cb\",\"vscode-insiders://x/cb\"]";

        JsonNode registered = node.caller()
                .post("/oauth/register", "{\"redirect_uris\":" + redirects + ",\"client_name\":null}")
                .ok()
                .json();

        assertThat(registered).noneMatch(JsonNode::isNull);
        assertThat(registered.get("redirect_uris").toString()).isEqualTo(redirects);
        assertThat(registered.get("token_endpoint_auth_method").textValue()).isEqualTo("none");
        assertThat(registered.has("client_secret")).isFalse();
        assertThat(error(node.caller().post("/oauth/register", "{}"))).isEqualTo("invalid_redirect_uri");
        assertThat(error(node.caller().post("/oauth/register", "{\"redirect_uris\":[]}")))
                .isEqualTo("invalid_redirect_uri");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Cl\\u0430ude", "Claude\\u200b", "\\u202eedualC", "Claude\\u0000", "\\ud800", " "})
    void a_name_that_imitates_another_is_not_shown(String name) {
        JsonNode registered = node.caller()
                .post(
                        "/oauth/register",
                        "{\"client_name\":\"" + name + "\",\"redirect_uris\":[\"https://robot.example/cb\"]}")
                .json();
        if (!registered.has("client_id")) {
            return;
        }
        assertThat(registered.has("client_name")).isFalse();
        Waiting waiting = new ConnectingClient(
                        node.caller(), registered.get("client_id").textValue(), "https://robot.example/cb")
                .ask();

        JsonNode shown = waiting.of(another()).get(waiting.path()).ok().json();

        assertThat(shown.at("/client/name").isNull()).isTrue();
        assertThat(shown.at("/client/host").textValue()).isEqualTo("robot.example");
    }

    @Test
    void a_program_on_the_computer_is_named_by_its_scheme_whatever_stands_where_a_host_would() {
        for (String redirect :
                List.of("httpsx.evil://claude.ai/cb", "com.evil://claude.ai/cb", "cursor://claude.ai/cb")) {
            Waiting waiting =
                    ConnectingClient.registered(node.caller(), redirect).ask();

            JsonNode shown = waiting.of(another()).get(waiting.path()).ok().json();

            String scheme = redirect.substring(0, redirect.indexOf(':'));
            assertThat(shown.at("/client/host").textValue()).isEqualTo(scheme);
            assertThat(shown.at("/client/redirectHost").textValue()).isEqualTo(scheme);
        }
    }

    @Test
    void a_state_with_control_characters_is_refused() {
        Seen page = client().authorize("state", "a\u0000b");
        assertThat(page.status()).isEqualTo(400);
        assertThat(page.text()).contains("invalid_request", "robot.example");
        ConnectingClient claude = new ConnectingClient(node.caller(), CLAUDE, CLAUDE_REDIRECT);
        for (String state : List.of("\u0000", "a\nb", "\u007f", "\u001f", "a\tb", "\r\nSet-Cookie: a=b", "\u0085")) {
            Seen back = claude.authorize("state", state);
            assertThat(back.status()).isEqualTo(302);
            assertThat(ConnectingClient.query(back.header("Location")))
                    .containsEntry("error", "invalid_request")
                    .containsEntry("state", state);
        }
        assertThat(claude.authorize("state", "ünstable \"state\" <b>").header("Location"))
                .startsWith("/connect/");
    }

    @Test
    void only_the_browser_that_brought_a_request_can_answer_it_and_only_once() {
        ConnectingClient client = client();
        Waiting waiting = client.ask();
        Waiting elsewhere = client.ask();
        TestHousehold user = another();
        ApiCaller thief = user.user().with("Cookie", user.cookie() + "; " + elsewhere.cookie());
        for (ApiCaller other : List.of(user.user(), thief)) {
            assertThat(other.get(waiting.path()).status()).isEqualTo(404);
            assertThat(other.post(waiting.path() + "/approve", CONSENT).status())
                    .isEqualTo(404);
            assertThat(other.post(waiting.path() + "/deny", "").status()).isEqualTo(404);
        }
        assertThat(node.caller()
                        .with("Cookie", waiting.cookie())
                        .get(waiting.path())
                        .status())
                .isEqualTo(401);

        ApiCaller browser = waiting.of(user);
        Map<String, String> refused = ConnectingClient.query(browser.post(waiting.path() + "/deny", "")
                .ok()
                .json()
                .get("redirectTo")
                .textValue());
        assertThat(refused).containsEntry("error", "access_denied").containsEntry("state", "a b&c");
        assertThat(browser.get(waiting.path()).status()).isEqualTo(404);
        assertThat(browser.post(waiting.path() + "/approve", CONSENT).status()).isEqualTo(404);
        pass(RequestAge.MAX);
        assertThat(elsewhere.of(user).get(elsewhere.path()).status()).isEqualTo(404);
    }

    private static final class RequestAge {
        static final Duration MAX = Duration.ofMinutes(10);
    }

    @Test
    void a_page_of_another_site_cannot_consent() {
        Waiting waiting = client().ask();
        ApiCaller foreign = waiting.of(another()).with("Origin", "https://evil.example");

        assertThat(foreign.post(waiting.path() + "/approve", CONSENT).status()).isEqualTo(403);
        Seen page = node.caller().get("/connect/" + waiting.id());
        assertThat(page.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(page.header("Content-Security-Policy")).contains("frame-ancestors 'none'");
    }

    @Test
    void a_consent_gives_no_more_than_was_asked_for_and_not_for_ever() {
        Waiting waiting = client().ask("scope", "read");
        ApiCaller browser = waiting.of(another());

        for (String wrong : List.of(
                CONSENT,
                CONSENT.replace("\"read\",\"validate\"", ""),
                CONSENT.replace("\"read\",\"validate\"", "\"read\"").replace("}}", "},\"expiresInDays\":366}"),
                CONSENT.replace("\"read\",\"validate\"", "\"read\"").replace("}}", "},\"paused\":true}"),
                CONSENT.replace("\"read\",\"validate\"", "\"read\"").replace("\"name\"", "\"surprise\""))) {
            assertThat(browser.post(waiting.path() + "/approve", wrong).status())
                    .as(wrong)
                    .isEqualTo(400);
        }
        assertThat(browser.post(waiting.path() + "/approve", CONSENT.replace("\"read\",\"validate\"", "\"read\""))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_consent_needs_a_confirmation_unless_the_user_has_just_signed_in() {
        TestHousehold user = another();
        pass(Duration.ofMinutes(11));
        Waiting waiting = client().ask();
        ApiCaller browser = waiting.of(user);

        Seen without = browser.post(waiting.path() + "/approve", CONSENT);
        assertThat(without.status()).isEqualTo(403);
        assertThat(error(without)).isEqualTo("confirmation_required");
        String wrong = CONSENT.replace("}}", "},\"confirmation\":{\"password\":\"not the password\"}}");
        assertThat(browser.post(waiting.path() + "/approve", wrong).status()).isEqualTo(403);
        String right = CONSENT.replace("}}", "},\"confirmation\":{\"password\":\"correct horse battery\"}}");
        assertThat(browser.post(waiting.path() + "/approve", right).status()).isEqualTo(200);

        Waiting fresh = client().ask();
        ApiCaller again = user.user().with("Cookie", user.signInAgain() + "; " + fresh.cookie());
        assertThat(again.post(fresh.path() + "/approve", wrong).status()).isEqualTo(403);
        assertThat(again.post(fresh.path() + "/approve", CONSENT).status()).isEqualTo(200);
    }

    @Test
    void a_second_consent_to_a_program_takes_the_place_of_the_first() {
        TestHousehold user = another();
        ConnectingClient claude = new ConnectingClient(node.caller(), CLAUDE, CLAUDE_REDIRECT);
        JsonNode first = claude.connected(user, CONSENT);
        claude.with(first)
                .post(API + "policy/validate", trade("buy", "SPY", "tradfi", "10"))
                .ok();
        String id = user.user()
                .get(APP + "keys")
                .ok()
                .json()
                .at("/keys/0/agentKeyId")
                .textValue();
        Waiting waiting = claude.ask();
        JsonNode shown = waiting.of(user).get(waiting.path()).ok().json();
        assertThat(shown.at("/client/name").textValue()).isEqualTo("Claude");
        assertThat(shown.at("/client/host").textValue()).isEqualTo("claude.ai");
        assertThat(shown.at("/client/isVerifiedHost").booleanValue()).isTrue();
        assertThat(shown.at("/replaces/agentKeyId").textValue()).isEqualTo(id);

        JsonNode second = claude.connected(user, CONSENT.replace("500", "40").replace("Robot", "Claude"));

        JsonNode keys = user.user().get(APP + "keys").ok().json().get("keys");
        assertThat(keys).hasSize(1);
        assertThat(keys.at("/0/agentKeyId").textValue()).isEqualTo(id);
        assertThat(keys.at("/0/name").textValue()).isEqualTo("Claude");
        assertThat(keys.at("/0/policy/dailyUsdCap").intValue()).isEqualTo(40);
        assertThat(claude.with(first).get(API + "whoami").status()).isEqualTo(401);
        assertThat(error(claude.refresh(token(first)))).isEqualTo("invalid_grant");
        assertThat(claude.with(second).get(API + "whoami").status()).isEqualTo(200);
        JsonNode rotated = user.user()
                .get(APP + "events?eventType=key.rotated")
                .ok()
                .json()
                .at("/events/0/payload");
        assertThat(rotated.get("secretChanged").booleanValue()).isTrue();
        assertThat(rotated.at("/client/host").textValue()).isEqualTo("claude.ai");
    }

    @Test
    void a_refresh_gives_the_same_tokens_to_all_who_share_a_token_and_a_late_one_ends_the_connection() {
        TestHousehold user = another();
        ConnectingClient client = client();
        JsonNode first = client.connected(user, CONSENT);

        JsonNode second = client.refresh(token(first)).ok().json();
        assertThat(token(second)).isNotEqualTo(token(first));
        assertThat(client.with(first).get(API + "whoami").status()).isEqualTo(200);
        assertThat(client.with(second).get(API + "whoami").status()).isEqualTo(200);
        pass(Duration.ofMinutes(50));
        JsonNode same = client.refresh(token(first)).ok().json();
        assertThat(token(same)).isEqualTo(token(second));
        assertThat(same.get("access_token")).isEqualTo(second.get("access_token"));
        assertThat(same.get("expires_in").intValue()).isBetween(500, 600);
        pass(Duration.ofMinutes(6));
        JsonNode renewed = client.refresh(token(first)).ok().json();
        assertThat(token(renewed)).isEqualTo(token(second));
        assertThat(renewed.get("access_token")).isNotEqualTo(second.get("access_token"));
        assertThat(client.with(second).get(API + "whoami").status()).isEqualTo(200);
        pass(Duration.ofMinutes(5));
        assertThat(client.with(second).get(API + "whoami").status()).isEqualTo(401);
        assertThat(client.with(renewed).get(API + "whoami").status()).isEqualTo(200);

        // The new access token was first used more than an hour ago; two hours later the old token is suspicious.
        pass(Duration.ofMinutes(65));
        assertThat(error(client.refresh(token(first)))).isEqualTo("invalid_grant");
        assertThat(error(client.refresh(token(second)))).isEqualTo("invalid_grant");
        assertThat(user.user()
                        .get(APP + "keys")
                        .ok()
                        .json()
                        .at("/keys/0/revokedAt")
                        .isNull())
                .isFalse();
        assertThat(user.user().get(APP + "activity").ok().text())
                .contains("The connection Robot of robot.example was ended.");
    }

    @Test
    void two_processes_that_share_a_token_live_side_by_side_for_a_day() {
        ConnectingClient client = client();
        JsonNode first = client.connected(another(), CONSENT);
        String[] held = {token(first), token(first)};
        for (int hour = 0; hour < 24; hour++) {
            for (int process = 0; process < 2; process++) {
                JsonNode tokens = client.refresh(held[process]).ok().json();
                held[process] = token(tokens);
                assertThat(client.with(tokens).get(API + "whoami").status()).isEqualTo(200);
            }
            assertThat(held[0]).isEqualTo(held[1]);
            pass(Duration.ofMinutes(58));
        }
    }

    @Test
    void a_refresh_token_is_of_no_use_to_another_program_or_for_more_scopes() {
        ConnectingClient client = client();
        JsonNode tokens = client.connected(another(), CONSENT);

        assertThat(error(client().refresh(token(tokens)))).isEqualTo("invalid_grant");
        assertThat(error(client.refresh(token(tokens), "scope", "read propose")))
                .isEqualTo("invalid_scope");
        assertThat(error(client.refresh(tokens.get("access_token").textValue())))
                .isEqualTo("invalid_grant");
        assertThat(node.caller().withKey(token(tokens)).get(API + "whoami").status())
                .isEqualTo(401);
        assertThat(client.refresh(token(tokens), "scope", "read").status()).isEqualTo(200);
    }

    @Test
    void a_program_ends_its_connection_by_either_token() {
        ConnectingClient client = client();
        for (String name : List.of("access_token", "refresh_token")) {
            JsonNode tokens = client.connected(another(), CONSENT);
            assertThat(client.post("/oauth/revoke", Map.of("token", "unknown")).status())
                    .isEqualTo(200);
            assertThat(error(client.post(
                            "/oauth/revoke", Map.of("token", tokens.get(name).textValue(), "client_id", "another"))))
                    .isEqualTo("invalid_client");
            assertThat(client.with(tokens).get(API + "whoami").status()).isEqualTo(200);

            assertThat(client.post(
                                    "/oauth/revoke",
                                    Map.of("token", tokens.get(name).textValue(), "client_id", client.id()))
                            .status())
                    .isEqualTo(200);

            assertThat(client.with(tokens).get(API + "whoami").status()).isEqualTo(401);
        }
    }

    @Test
    void a_connection_in_the_sandbox_acts_there() {
        ConnectingClient client = client();
        JsonNode tokens = client.connected(another(), CONSENT.replace("live", "test"));

        Seen seen = client.with(tokens).post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"));

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.header("X-Service-Sandbox")).isEqualTo("true");
    }

    @Test
    void a_stranger_who_registers_asks_or_tries_tokens_without_end_has_to_wait() {
        pass(Duration.ofHours(1));
        ConnectingClient client = client();
        for (int i = 1; i < OAuthClients.REGISTRATIONS_PER_HOUR; i++) {
            client();
        }
        for (int i = 0; i < RequestConnection.CALLS_PER_MINUTE; i++) {
            client.ask();
        }
        for (int i = 0; i < GrantTokens.CALLS_PER_SECOND; i++) {
            assertThat(client.refresh("guessed").status()).isEqualTo(400);
        }

        for (Seen beyond : List.of(
                node.caller().post("/oauth/register", "{\"redirect_uris\":[\"" + MINE + "\"]}"),
                client.authorize(),
                client.refresh("guessed"),
                client.post("/oauth/revoke", Map.of("token", "guessed")))) {
            assertThat(beyond.status()).as(beyond.text()).isEqualTo(429);
            assertThat(Integer.parseInt(beyond.header("Retry-After"))).isPositive();
        }

        pass(Duration.ofHours(1));
        client().ask();
        assertThat(client.refresh("guessed").status()).isEqualTo(400);
    }

    @Test
    void pages_of_other_sites_may_read_the_metadata_and_exchange_codes() {
        for (String path :
                List.of("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server")) {
            assertThat(node.caller().get(path).header("Access-Control-Allow-Origin"))
                    .isEqualTo("*");
        }
        Seen preflight = node.caller().send("OPTIONS", "/oauth/token", null);
        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(preflight.header("Access-Control-Allow-Headers")).contains("Content-Type");
        assertThat(node.caller().send("OPTIONS", "/oauth/authorize", null).header("Access-Control-Allow-Origin"))
                .isEmpty();
        assertThat(client().refresh("none").header("Access-Control-Allow-Origin"))
                .isEqualTo("*");
    }

    @Test
    void a_form_is_read_strictly() {
        ApiCaller form = node.caller().with("Content-Type", "application/x-www-form-urlencoded");

        assertThat(node.caller().post("/oauth/token", "{}").status()).isEqualTo(415);
        assertThat(form.send("POST", "/oauth/token", "a=%zz").status()).isEqualTo(400);
        assertThat(error(form.send("POST", "/oauth/token", "client_id=a&client_id=a&grant_type=refresh_token")))
                .isEqualTo("invalid_request");
        assertThat(error(form.send("POST", "/oauth/token", "client_id=a&grant_type=refresh_token&refresh_token=")))
                .isEqualTo("invalid_grant");
    }
}
