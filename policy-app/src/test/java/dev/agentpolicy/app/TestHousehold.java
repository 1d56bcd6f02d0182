package dev.agentpolicy.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A user who signed up over HTTP, and calls that the app makes for them.
 *
 * @param user calls with their session
 * @param userId whose account it is
 */
public record TestHousehold(ApiCaller user, String userId) {
    public static final String API = "/api/agent/v1/";
    public static final String APP = "/api/app/v1/";

    private static final AtomicInteger PEOPLE = new AtomicInteger();
    private static final String PASSWORD = "correct horse battery";

    public static TestHousehold signUp(ApiCaller stranger) {
        String login =
                "{\"email\":\"person" + PEOPLE.incrementAndGet() + "@example.com\",\"password\":\"" + PASSWORD + "\"}";
        String userId =
                stranger.post(APP + "users", login).ok().json().get("userId").textValue();
        SessionRing sessions = SessionRing.of(
                stranger.address(), cookie(stranger, login), address -> cookie(new ApiCaller(address), login));
        return new TestHousehold(stranger.in(sessions), userId);
    }

    private static String cookie(ApiCaller stranger, String login) {
        String cookie = stranger.post(APP + "session", login).ok().header("Set-Cookie");
        return cookie.substring(0, cookie.indexOf(';'));
    }

    /** The cookie of another session. */
    public String signInAgain() {
        String email = user.get(APP + "me").ok().json().get("email").textValue();
        return cookie(new ApiCaller(user.address()), "{\"email\":\"" + email + "\",\"password\":\"" + PASSWORD + "\"}");
    }

    /** With the policy and the paper portfolio of the demonstration. */
    public static TestHousehold withPolicy(ApiCaller stranger) {
        TestHousehold household = signUp(stranger);
        household.user.put(APP + "ips", demo("ips.json")).ok();
        household.user.put(APP + "custodians/paper", demo("holdings.json")).ok();
        return household;
    }

    /** The cookie of its session. */
    public String cookie() {
        return user.header("Cookie");
    }

    /** The answer to minting a key with all scopes. */
    public JsonNode mint(String type) {
        return mint(type, "\"read\",\"validate\",\"propose\"", "{}");
    }

    JsonNode mint(String type, String scopes, String policy) {
        String asked = "{\"name\":\"Robot\",\"keyType\":\"" + type + "\",\"scopes\":[" + scopes + "],\"policy\":"
                + policy + "}";
        return user.post(APP + "keys", asked).ok().json();
    }

    /** An agent with a new live key. */
    public ApiCaller agent() {
        return agent(mint("live"));
    }

    public ApiCaller agent(JsonNode minted) {
        return new ApiCaller(user.address()).withKey(minted.get("key").textValue());
    }

    public static String demo(String name) {
        try (InputStream in = TestHousehold.class.getResourceAsStream("/demo/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public static String trade(String action, String symbol, String type, String amount) {
        return "{\"action\":\"" + action + "\",\"assetSymbol\":\"" + symbol + "\",\"assetType\":\"" + type
                + "\",\"amountUsd\":" + amount + "}";
    }
}
