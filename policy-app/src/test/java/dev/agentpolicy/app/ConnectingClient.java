package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A program that is connected by consent, as one that registered, and the browser of its user.
 *
 * @param id its client id
 */
record ConnectingClient(ApiCaller service, String id, String redirectUri) {
    /** The verifier and the challenge of RFC 7636, appendix B. */
    static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    static final String CONSENT = "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\",\"validate\"],"
            + "\"policy\":{\"dailyUsdCap\":500}}";

    static ConnectingClient registered(ApiCaller service, String redirectUri) {
        JsonNode client = service.post(
                        "/oauth/register", "{\"client_name\":\"Robot\",\"redirect_uris\":[\"" + redirectUri + "\"]}")
                .ok()
                .json();
        return new ConnectingClient(service, client.get("client_id").textValue(), redirectUri);
    }

    /** What it asks for, with some parameters changed; null leaves one out. */
    Map<String, String> parameters(String... changes) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("response_type", "code");
        all.put("client_id", id);
        all.put("redirect_uri", redirectUri);
        all.put("code_challenge", CHALLENGE);
        all.put("code_challenge_method", "S256");
        all.put("state", "a b&c");
        return changed(all, changes);
    }

    private static Map<String, String> changed(Map<String, String> all, String... changes) {
        for (int i = 0; i < changes.length; i += 2) {
            all.put(changes[i], changes[i + 1]);
        }
        all.values().removeIf(Objects::isNull);
        return all;
    }

    /** Opens the browser. */
    Seen authorize(String... changes) {
        return service.get("/oauth/authorize?" + form(parameters(changes)));
    }

    /** A request that waits for an answer, in the browser that brought it. */
    Waiting ask(String... changes) {
        Seen seen = authorize(changes);
        assertThat(seen.status()).as(seen.text()).isEqualTo(302);
        String cookie = seen.header("Set-Cookie");
        return new Waiting(seen.header("Location").replace("/connect/", ""), cookie.substring(0, cookie.indexOf(';')));
    }

    /** A request that waits, and the cookie of its browser. */
    record Waiting(String id, String cookie) {
        String path() {
            return APP + "connections/" + id;
        }

        /** The browser with the session of a user. */
        ApiCaller of(TestHousehold household) {
            return household.user().with("Cookie", household.cookie() + "; " + cookie);
        }
    }

    /** The code of a consent. */
    String consented(TestHousehold household, String consent, String... changes) {
        Waiting waiting = ask(changes);
        String address = waiting.of(household)
                .post(waiting.path() + "/approve", consent)
                .ok()
                .json()
                .get("redirectTo")
                .textValue();
        return query(address).get("code");
    }

    Seen exchange(String code, String... changes) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("client_id", id);
        form.put("redirect_uri", redirectUri);
        form.put("code_verifier", VERIFIER);
        return post("/oauth/token", changed(form, changes));
    }

    Seen refresh(String token, String... changes) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", token);
        form.put("client_id", id);
        return post("/oauth/token", changed(form, changes));
    }

    /** The tokens of a new connection. */
    JsonNode connected(TestHousehold household, String consent) {
        return exchange(consented(household, consent)).ok().json();
    }

    Seen post(String path, Map<String, String> form) {
        return service.with("Content-Type", "application/x-www-form-urlencoded").send("POST", path, form(form));
    }

    ApiCaller with(JsonNode tokens) {
        return service.withKey(tokens.get("access_token").textValue());
    }

    static Map<String, String> query(String address) {
        String query = URI.create(address).getRawQuery();
        return Arrays.stream(query.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    private static String form(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> member.getKey() + "=" + URLEncoder.encode(member.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
