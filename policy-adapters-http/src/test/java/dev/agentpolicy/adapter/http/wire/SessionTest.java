package dev.agentpolicy.adapter.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.ProposeTest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who can use the app API, and from which sites. */
class SessionTest {
    private static final String USERS = "/api/app/v1/users";
    private static final String SESSION = "/api/app/v1/session";
    private static final String ME = "/api/app/v1/me";
    private static final String LOGIN = "{\"email\":\"ann@example.org\",\"password\":\"correct horse battery\"}";
    private static final String WRONG = "{\"email\":\"ann@example.org\",\"password\":\"wrong horse\"}";

    private final TestService service = new TestService();
    private final Client client = service.client();

    /** The client of the JDK refuses to set these headers unless this property is set before its first call. */
    @BeforeAll
    static void allow_every_header() {
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,origin");
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_user_signs_up_signs_in_and_signs_out() {
        Seen signedUp = client.post(USERS, LOGIN);
        assertThat(signedUp.status()).isEqualTo(201);
        String id = signedUp.json().get("userId").textValue();
        assertThat(ProposeTest.names(signedUp.json())).containsExactly("userId");

        Seen signedIn = client.post(SESSION, LOGIN.replace("ann@", "ANN@"));
        assertThat(signedIn.json()).isEqualTo(Client.json("{\"userId\":\"" + id + "\",\"email\":\"ann@example.org\"}"));
        Client user = client.with("Cookie", cookie(signedIn));
        assertThat(user.get(ME).json())
                .isEqualTo(Client.json("{\"userId\":\"" + id
                        + "\",\"email\":\"ann@example.org\",\"emailConfirmed\":false,\"pendingEmail\":null,"
                        + "\"requestMails\":\"plain\",\"mail\":true,\"push\":true,\"notices\":{\"push\":\"plain\","
                        + "\"mail\":\"plain\",\"quietHours\":null,\"digestMinutes\":5},\"passkeyAboveUsd\":null}"));

        Seen signedOut = user.send("DELETE", SESSION, BodyPublishers.noBody());
        assertThat(signedOut.status()).isEqualTo(204);
        assertThat(signedOut.header("Set-Cookie")).startsWith("policy_session=; Path=/; Max-Age=0; HttpOnly");
        assertThat(user.get(ME).status()).isEqualTo(401);
    }

    @Test
    void the_cookie_is_http_only_and_same_site() {
        client.post(USERS, LOGIN);

        assertThat(client.post(SESSION, LOGIN).header("Set-Cookie"))
                .matches("policy_session=[A-Za-z0-9_-]{43}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict");
        assertThat(client.with("X-Forwarded-Proto", "https")
                        .post(SESSION, LOGIN)
                        .header("Set-Cookie"))
                .endsWith("; HttpOnly; SameSite=Strict; Secure");
    }

    @Test
    void the_cookie_is_secure_when_the_address_of_the_service_is_https() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of("https://policy.example/app"));
        try (TestService secure = new TestService(UnaryOperator.identity(), config, true)) {
            Client browser = secure.client().with("Origin", "https://policy.example");
            assertThat(browser.post(USERS, LOGIN).status()).isEqualTo(201);
            assertThat(browser.post(SESSION, LOGIN).headers().allValues("Set-Cookie"))
                    .satisfiesExactly(
                            session -> assertThat(session)
                                    .matches("__Host-policy_session=[A-Za-z0-9_-]{43}; Path=/; Max-Age=2592000;"
                                            + " HttpOnly; SameSite=Strict; Secure"),
                            device -> assertThat(device)
                                    .matches("__Host-policy_device=[A-Za-z0-9_-]{43}; Path=/; Max-Age=31536000;"
                                            + " HttpOnly; SameSite=Strict; Secure"));
            assertThat(secure.client()
                            .with("Origin", "http://policy.example")
                            .post(SESSION, LOGIN)
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void behind_https_a_cookie_without_the_host_prefix_is_no_session() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of("https://policy.example"));
        try (TestService secure = new TestService(UnaryOperator.identity(), config, true)) {
            secure.client().post(USERS, LOGIN);
            String cookie = cookie(secure.client().post(SESSION, LOGIN));
            String planted = cookie.replace("__Host-", "");

            assertThat(secure.client().with("Cookie", cookie).get(ME).status()).isEqualTo(200);
            assertThat(secure.client().with("Cookie", planted).get(ME).status()).isEqualTo(401);
            assertThat(secure.client()
                            .with("Cookie", "policy_session=planted; " + cookie)
                            .get(ME)
                            .status())
                    .describedAs("one that was planted does not lock the user out")
                    .isEqualTo(200);
        }
    }

    @Test
    void a_trusted_proxy_says_whether_the_browser_called_by_https() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of()).trustingProxy();
        try (TestService proxied = new TestService(UnaryOperator.identity(), config, true)) {
            Client https = proxied.client().with("X-Forwarded-Proto", "https");
            https.post(USERS, LOGIN);

            assertThat(https.post(SESSION, LOGIN).header("Set-Cookie")).startsWith("__Host-policy_session=");
            assertThat(proxied.client().post(SESSION, LOGIN).header("Set-Cookie"))
                    .startsWith("policy_session=");
            assertThat(client.with("X-Forwarded-Proto", "https")
                            .post(USERS, LOGIN)
                            .status())
                    .isEqualTo(201);
            assertThat(client.with("X-Forwarded-Proto", "https")
                            .post(SESSION, LOGIN)
                            .header("Set-Cookie"))
                    .describedAs("said by a stranger")
                    .startsWith("policy_session=");
        }
    }

    @Test
    void two_session_cookies_are_refused() {
        client.post(USERS, LOGIN);
        String own = cookie(client.post(SESSION, LOGIN));
        String planted = cookie(client.post(SESSION, LOGIN));
        Client tossed = client.with("Cookie", planted + "; " + own);

        for (Seen seen : List.of(tossed.get(ME), tossed.post(SESSION, LOGIN), tossed.put("/api/app/v1/ips", "{"))) {
            Expect.error(
                    seen,
                    401,
                    "{\"error\":\"unauthorized\",\"message\":\"Two session cookies came with this call, so neither is"
                            + " used; delete the cookies of this site and sign in.\"}");
        }
        assertThat(client.with("Cookie", own + "; policy_session=").get(ME).status())
                .isEqualTo(401);
        assertThat(tossed.send("DELETE", SESSION, BodyPublishers.noBody()).status())
                .isEqualTo(204);
        assertThat(client.with("Cookie", own).get(ME).status()).isEqualTo(401);
        assertThat(client.with("Cookie", planted).get(ME).status()).isEqualTo(401);
    }

    @Test
    void a_new_sign_in_ends_the_session_it_replaces() {
        client.post(USERS, LOGIN);
        String first = cookie(client.post(SESSION, LOGIN));

        String second = cookie(client.with("Cookie", first).post(SESSION, LOGIN));

        assertThat(client.with("Cookie", first).get(ME).status()).isEqualTo(401);
        assertThat(client.with("Cookie", second).get(ME).status()).isEqualTo(200);
    }

    @Test
    void a_known_browser_is_not_locked_out_by_others() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of()).trustingProxy();
        try (TestService proxied = new TestService(UnaryOperator.identity(), config, true)) {
            proxied.client().post(USERS, LOGIN);
            String device = cookies(proxied.client().post(SESSION, LOGIN)).get(1);
            for (int i = 0; i < 50; i++) {
                Client stranger = proxied.client().with("X-Forwarded-For", "198.51.100." + i % 10);
                assertThat(stranger.post(SESSION, WRONG).status()).isEqualTo(401);
            }

            assertThat(proxied.client().post(SESSION, LOGIN).status()).isEqualTo(429);
            Seen known = proxied.client().with("Cookie", device).post(SESSION, LOGIN);
            assertThat(known.status()).isEqualTo(200);
            assertThat(cookies(known).get(1)).isEqualTo(device);
            assertThat(device).startsWith("policy_device=");
        }
    }

    @Test
    void addresses_of_one_ipv6_network_share_their_sign_ups_and_others_have_their_own() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of()).trustingProxy();
        try (TestService proxied = new TestService(UnaryOperator.identity(), config, true)) {
            for (int i = 0; i < TestService.SIGN_UPS; i++) {
                assertThat(signUp(proxied.client().with("X-Forwarded-For", "2001:db8::" + i), i))
                        .isEqualTo(201);
            }

            assertThat(signUp(proxied.client().with("X-Forwarded-For", "2001:db8:0:0:ffff::1"), 10))
                    .isEqualTo(429);
            assertThat(signUp(proxied.client().with("X-Forwarded-For", "2001:db8:0:1::1"), 11))
                    .isEqualTo(201);
            assertThat(signUp(proxied.client().with("X-Forwarded-For", "192.0.2.1"), 12))
                    .isEqualTo(201);
            assertThat(signUp(proxied.client(), 13)).isEqualTo(201);
        }
    }

    @Test
    void sign_ups_beyond_the_budget_of_an_address_are_throttled_despite_forged_headers() {
        for (int i = 0; i < TestService.SIGN_UPS; i++) {
            assertThat(signUp(client.with("X-Forwarded-For", "192.0.2." + i), i))
                    .isEqualTo(201);
        }

        Seen taken = client.post(USERS, LOGIN.replace("ann@", "person0@"));
        Seen free = client.post(USERS, LOGIN);

        for (Seen throttled : List.of(taken, free)) {
            Expect.error(
                    throttled,
                    429,
                    "{\"error\":\"sign_up_throttled\",\"message\":"
                            + "\"Too many sign-ups from your address; try again in 3600 seconds.\"}");
            assertThat(throttled.header("Retry-After")).isEqualTo("3600");
        }
        service.clock.advance(Duration.ofHours(1));
        assertThat(client.post(USERS, LOGIN).status()).isEqualTo(201);
    }

    @Test
    void a_common_password_is_refused_with_its_field() {
        Expect.invalidPayload(
                client.post(USERS, LOGIN.replace("correct horse battery", "Password1234")),
                "",
                "password is one of the most common ones; choose one that nobody would try first.");
    }

    @Test
    void without_a_session_a_user_is_unauthorized() {
        Seen seen = client.get(ME);

        Expect.error(seen, 401, "{\"error\":\"unauthorized\",\"message\":\"Sign in first.\"}");
        assertThat(seen.header("WWW-Authenticate")).isNull();
        assertThat(client.with("Cookie", "policy_session=made-up").get(ME).status())
                .isEqualTo(401);
        assertThat(client.with("Cookie", "policy_session=" + "x".repeat(5000))
                        .get(ME)
                        .status())
                .isEqualTo(401);
        assertThat(client.put("/api/app/v1/ips", "{").status()).isEqualTo(401);
    }

    @Test
    void a_session_unused_for_fourteen_days_ends() {
        client.post(USERS, LOGIN);
        Client user = client.with("Cookie", cookie(client.post(SESSION, LOGIN)));
        service.clock.advance(Duration.ofDays(13));
        assertThat(user.get(ME).status()).isEqualTo(200);

        service.clock.advance(Duration.ofDays(14));

        assertThat(user.get(ME).status()).isEqualTo(401);
    }

    @Test
    void a_key_is_no_session_and_a_session_is_no_key() {
        client.post(USERS, LOGIN);
        String cookie = cookie(client.post(SESSION, LOGIN));
        String token = cookie.substring(cookie.indexOf('=') + 1);

        assertThat(client.withKey(service.key()).get(ME).status()).isEqualTo(401);
        assertThat(client.with("Cookie", "policy_session=" + service.key())
                        .get(ME)
                        .status())
                .isEqualTo(401);
        assertThat(client.with("Cookie", cookie).get("/api/agent/v1/whoami").status())
                .isEqualTo(401);
        assertThat(client.withKey(token).get("/api/agent/v1/whoami").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "http://"})
    void a_page_of_another_origin_may_change_nothing(String origin) {
        Expect.error(
                client.with("Origin", origin).post(USERS, LOGIN),
                403,
                "{\"error\":\"forbidden\",\"message\":\"Only pages of this service may do this.\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site", "nonsense"})
    void a_browser_that_says_cross_site_may_change_nothing(String site) {
        assertThat(client.with("Sec-Fetch-Site", site).post(USERS, LOGIN).status())
                .isEqualTo(403);
        assertThat(client.with("Sec-Fetch-Site", site).get(ME).status()).isEqualTo(401);
    }

    @Test
    void pages_and_scripts_of_the_same_origin_may_change_data() {
        Client own = client.with("Origin", service.server.address());

        assertThat(own.with("Sec-Fetch-Site", "same-origin").post(USERS, LOGIN).status())
                .isEqualTo(201);
        assertThat(client.with("Sec-Fetch-Site", "none").post(SESSION, LOGIN).status())
                .isEqualTo(200);
        assertThat(client.post(SESSION, LOGIN).status()).isEqualTo(200);
    }

    @Test
    void a_taken_address_is_refused() {
        client.post(USERS, LOGIN);

        Expect.error(
                client.post(USERS, LOGIN),
                409,
                "{\"error\":\"email_taken\",\"message\":\"This address has an account already; sign in.\"}");
    }

    @Test
    void sign_up_can_be_closed() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of());
        try (TestService closed = new TestService(UnaryOperator.identity(), config, false)) {
            Expect.error(
                    closed.client().post(USERS, LOGIN),
                    403,
                    "{\"error\":\"sign_up_closed\",\"message\":\"Sign-up is closed on this service.\"}");
        }
    }

    @Test
    void a_wrong_password_is_refused_and_many_are_throttled() {
        client.post(USERS, LOGIN);
        for (int tries = 0; tries < 5; tries++) {
            Seen seen = client.post(SESSION, WRONG);
            Expect.error(
                    seen, 401, "{\"error\":\"unauthorized\",\"message\":\"The address or the password is wrong.\"}");
            assertThat(seen.header("Set-Cookie")).isNull();
        }

        Seen throttled = client.post(SESSION, LOGIN);

        Expect.error(
                throttled,
                429,
                "{\"error\":\"sign_in_throttled\",\"message\":"
                        + "\"Too many wrong passwords; try again in 901 seconds.\"}");
        assertThat(throttled.header("Retry-After")).isEqualTo("901");
        service.clock.advance(Duration.ofSeconds(901));
        assertThat(client.post(SESSION, LOGIN).status()).isEqualTo(200);
    }

    @Test
    void the_problems_of_a_login_are_listed_by_field() {
        Expect.invalidPayload(
                client.post(USERS, "{\"email\":\"ann\",\"password\":\"short\"}"),
                "",
                "email must be an e-mail address.",
                "password must have 12 to 128 characters.");
        assertThat(client.send("POST", USERS, BodyPublishers.ofString(LOGIN)).status())
                .isEqualTo(415);
    }

    private static int signUp(Client client, int person) {
        return client.post(USERS, LOGIN.replace("ann@", "person" + person + "@"))
                .status();
    }

    /** The cookies that an answer sets, in the form in which a browser sends them. */
    private static List<String> cookies(Seen seen) {
        return seen.headers().allValues("Set-Cookie").stream()
                .map(header -> header.substring(0, header.indexOf(';')))
                .toList();
    }

    private static String cookie(Seen seen) {
        String header = seen.header("Set-Cookie");
        return header.substring(0, header.indexOf(';'));
    }
}
