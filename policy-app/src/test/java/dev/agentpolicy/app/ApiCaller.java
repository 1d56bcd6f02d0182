package dev.agentpolicy.app;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.openapi.Described;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls a node as agents and browsers do, and fails if an answer does not match docs/openapi.json. */
public final class ApiCaller {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final String APP = "/api/app/";
    private static final String COOKIE = "Cookie";
    private static final long BUDGET_PAUSE_MILLIS = 100;

    private final String address;
    private final List<String> headers;
    private final SessionRing sessions;

    public ApiCaller(String address) {
        this(address, List.of(), null);
    }

    /** @param sessions null unless it calls for a user with several sessions */
    private ApiCaller(String address, List<String> headers, SessionRing sessions) {
        this.address = address;
        this.headers = headers;
        this.sessions = sessions;
    }

    /** An answer. */
    public record Seen(int status, HttpHeaders headers, String text) {

        public JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (IOException broken) {
                throw new UncheckedIOException("Not JSON: " + text, broken);
            }
        }

        public String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        /** The same, for a call that was meant to succeed. */
        public Seen ok() {
            if (status / 100 != 2) {
                throw new AssertionError(status + " " + text);
            }
            return this;
        }
    }

    public String address() {
        return address;
    }

    /** What it sends as a header with every call. */
    String header(String name) {
        if (sessions != null && name.equals(COOKIE)) {
            return sessions.current();
        }
        return headers.get(headers.indexOf(name) + 1);
    }

    /** The key it presents. */
    String key() {
        return header("Authorization").substring("Bearer ".length());
    }

    /** The same caller at another node. */
    ApiCaller at(String other) {
        return new ApiCaller(other, headers, sessions);
    }

    /** The same caller in one of these sessions, and in the next one once the budget of that is used up. */
    ApiCaller in(SessionRing ring) {
        return new ApiCaller(address, headers, ring);
    }

    public ApiCaller with(String name, String value) {
        List<String> more = new ArrayList<>(headers);
        more.add(name);
        more.add(value);
        return new ApiCaller(address, more, name.equals(COOKIE) ? null : sessions);
    }

    public ApiCaller withKey(String key) {
        return with("Authorization", "Bearer " + key);
    }

    public Seen get(String path) {
        return send("GET", path, null);
    }

    public Seen delete(String path) {
        return send("DELETE", path, null);
    }

    public Seen post(String path, String json) {
        return with("Content-Type", "application/json").send("POST", path, json);
    }

    public Seen put(String path, String json) {
        return with("Content-Type", "application/json").send("PUT", path, json);
    }

    public Seen patch(String path, String json) {
        return with("Content-Type", "application/json").send("PATCH", path, json);
    }

    /**
     * Repeats a call while a budget is used up: that of its session in another session, or after a pause if it has only
     * one, and that of its user after a pause.
     */
    public Seen send(String method, String path, String body) {
        while (true) {
            String cookie = sessions == null ? null : sessions.current();
            Seen seen = sendOnce(method, path, body, cookie);
            boolean isOverBudget =
                    path.startsWith(APP) && seen.status() == 429 && seen.text().contains("calls a second in ");
            if (!isOverBudget) {
                return seen;
            } else if (sessions != null && seen.text().contains("in this session")) {
                sessions.leave(cookie, address);
            } else {
                pause();
            }
        }
    }

    /** Signs in as often as it ever will, for a test that uses up the tries of the password. */
    public void openAllSessions() {
        for (int i = 0; i < SessionRing.MAX_SESSIONS; i++) {
            sessions.leave(sessions.current(), address);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BUDGET_PAUSE_MILLIS);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private Seen sendOnce(String method, String path, String body, String cookie) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(new String[0]));
        }
        if (cookie != null) {
            request.header(COOKIE, cookie);
        }
        try {
            var response =
                    Described.require(HTTP.send(request.build(), BodyHandlers.ofString()), body == null ? "" : body);
            return new Seen(response.statusCode(), response.headers(), response.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
