package dev.agentpolicy.app.console;

import dev.agentpolicy.openapi.Described;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A caller over HTTP: an agent with a key, or a person's script with a session. */
final class ConsoleAgent {
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String base;
    private final String header;
    private final String value;

    private ConsoleAgent(String base, String header, String value) {
        this.base = base;
        this.header = header;
        this.value = value;
    }

    static ConsoleAgent withKey(String address, String key) {
        return new ConsoleAgent(address + "/api/agent/v1", "Authorization", "Bearer " + key);
    }

    static ConsoleAgent withSession(String address, String token) {
        return new ConsoleAgent(address + "/api/app/v1", "Cookie", "policy_session=" + token);
    }

    /** Signs up and in; the token of the session. */
    static String signUp(String address, String email, String password) {
        stranger(address).call("POST", "/users", login(email, password));
        return signIn(address, email, password);
    }

    /** Signs in; the token of the session. */
    static String signIn(String address, String email, String password) {
        String cookie = stranger(address)
                .send("POST", "/session", login(email, password))
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
        return cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';'));
    }

    private static ConsoleAgent stranger(String address) {
        return new ConsoleAgent(address + "/api/app/v1", "Accept", "application/json");
    }

    private static String login(String email, String password) {
        return "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(email, password);
    }

    JsonNode get(String path) {
        return call("GET", path, "");
    }

    JsonNode call(String method, String path, String body) {
        String answer = send(method, path, body).body();
        return answer.isEmpty() ? JSON.nullNode() : JSON.readTree(answer);
    }

    /** Proposes a trade; the id of the request. */
    long propose(String trade) {
        return call("POST", "/trades/propose", trade).get("serviceRequestId").asLong();
    }

    private HttpResponse<String> send(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                .header(header, value)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = Described.require(HTTP.send(request, BodyHandlers.ofString()), body);
            if (answer.statusCode() >= 400) {
                throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return answer;
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
