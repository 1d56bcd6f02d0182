package dev.agentpolicy.adapter.http;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.openapi.Described;
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
import java.util.function.BiConsumer;

/** Calls a server over HTTP and checks every answer against the description. */
public final class Client {
    public static final String VALIDATE = "/api/agent/v1/policy/validate";
    static final String BATCH = "/api/agent/v1/policy/validate-batch";
    public static final String PROPOSE = "/api/agent/v1/trades/propose";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final HttpClient http;
    private final String address;
    private final List<String> headers = new ArrayList<>();

    public Client(String address) {
        this(
                address,
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    private Client(String address, HttpClient http) {
        this.address = address;
        this.http = http;
    }

    /** An answer. */
    public record Seen(int status, HttpHeaders headers, String text) {
        public JsonNode json() {
            return Client.json(text);
        }

        public String header(String name) {
            return headers.firstValue(name).orElse(null);
        }

        /** The body without the request id, which differs in every call. */
        JsonNode jsonWithoutId() {
            ObjectNode body = (ObjectNode) json();
            body.remove("requestId");
            return body;
        }
    }

    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException("Not JSON: " + text, broken);
        }
    }

    /** The same client with one more header on every call. */
    public Client with(String name, String value) {
        Client client = new Client(address, http);
        client.headers.addAll(headers);
        client.headers.add(name);
        client.headers.add(value);
        return client;
    }

    public Client withKey(String key) {
        return with("Authorization", "Bearer " + key);
    }

    public Seen get(String path) {
        return send("GET", path, BodyPublishers.noBody(), "");
    }

    public Seen post(String path, String json) {
        return with("Content-Type", "application/json").send("POST", path, BodyPublishers.ofString(json), json);
    }

    public Seen put(String path, String json) {
        return with("Content-Type", "application/json").send("PUT", path, BodyPublishers.ofString(json), json);
    }

    /** Sends a body of any bytes. */
    public Seen patch(String path, String json) {
        return with("Content-Type", "application/json").sendText("PATCH", path, json);
    }

    public Seen send(String method, String path, BodyPublisher body) {
        return send(method, path, body, null);
    }

    /** Sends a body whose text is checked against the description too. */
    public Seen sendText(String method, String path, String body) {
        return send(method, path, BodyPublishers.ofString(body), body);
    }

    /** Passes on the headers of every call. */
    public void eachHeader(BiConsumer<String, String> name) {
        for (int i = 0; i < headers.size(); i += 2) {
            name.accept(headers.get(i), headers.get(i + 1));
        }
    }

    private Seen send(String method, String path, BodyPublisher body, String sent) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, body);
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(new String[0]));
        }
        try {
            HttpResponse<String> response =
                    Described.require(http.send(request.build(), BodyHandlers.ofString()), sent);
            return new Seen(response.statusCode(), response.headers(), response.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
