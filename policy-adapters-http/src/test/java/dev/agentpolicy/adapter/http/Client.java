package dev.agentpolicy.adapter.http;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls a server the way strangers do. */
final class Client {
    static final String VALIDATE = "/api/agent/v1/policy/validate";
    static final String BATCH = "/api/agent/v1/policy/validate-batch";
    static final String PROPOSE = "/api/agent/v1/trades/propose";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;
    private final List<String> headers = new ArrayList<>();

    Client(String address) {
        this.address = address;
    }

    /** What came back. */
    record Seen(int status, HttpHeaders headers, String text) {
        JsonNode json() {
            return Client.json(text);
        }

        String header(String name) {
            return headers.firstValue(name).orElse(null);
        }

        /** The body without the request id, which differs in every call. */
        JsonNode jsonWithoutId() {
            ObjectNode body = (ObjectNode) json();
            body.remove("requestId");
            return body;
        }
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException("Not JSON: " + text, broken);
        }
    }

    /** The same client with one more header on every call. */
    Client with(String name, String value) {
        Client client = new Client(address);
        client.headers.addAll(headers);
        client.headers.add(name);
        client.headers.add(value);
        return client;
    }

    Client withKey(String key) {
        return with("Authorization", "Bearer " + key);
    }

    Seen get(String path) {
        return send("GET", path, BodyPublishers.noBody());
    }

    Seen post(String path, String json) {
        return with("Content-Type", "application/json").send("POST", path, BodyPublishers.ofString(json));
    }

    Seen put(String path, String json) {
        return with("Content-Type", "application/json").send("PUT", path, BodyPublishers.ofString(json));
    }

    Seen send(String method, String path, BodyPublisher body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, body);
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(new String[0]));
        }
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return new Seen(response.statusCode(), response.headers(), response.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
