package dev.agentpolicy.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A user with the policy and the paper portfolio of the demonstration, who signed up over HTTP.
 *
 * @param userId whose account it is
 * @param keys live keys of agents, with all scopes
 */
record BenchHousehold(String userId, List<String> keys) {
    private static final String APP = "/api/app/v1/";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newBuilder().build();

    static BenchHousehold signUp(String address, int number, int keys) {
        String login = "{\"email\":\"person" + number + "@example.com\",\"password\":\"correct horse battery\"}";
        String userId =
                json(send(address, "POST", "users", login, "")).get("userId").textValue();
        String cookie = send(address, "POST", "session", login, "")
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .replaceAll(";.*", "");
        send(address, "PUT", "ips", resource("/demo/ips.json"), cookie);
        send(address, "PUT", "custodians/paper", resource("/demo/holdings.json"), cookie);
        String key =
                "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\",\"validate\",\"propose\"],\"policy\":{}}";
        return new BenchHousehold(
                userId,
                IntStream.range(0, keys)
                        .mapToObj(i -> json(send(address, "POST", "keys", key, cookie))
                                .get("key")
                                .textValue())
                        .toList());
    }

    /** How many bytes a read answers an agent. */
    static int bytes(String address, String path, String key) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .header("Authorization", "Bearer " + key)
                .build();
        return answer(request).body().getBytes(StandardCharsets.UTF_8).length;
    }

    private static HttpResponse<String> send(String address, String method, String path, String body, String cookie) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + APP + path))
                .header("Content-Type", "application/json")
                .header("Cookie", cookie)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return answer(request);
    }

    private static HttpResponse<String> answer(HttpRequest request) {
        try {
            HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(request.uri() + ": " + answer.statusCode() + " " + answer.body());
            }
            return answer;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String resource(String name) {
        try (InputStream in = BenchHousehold.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
