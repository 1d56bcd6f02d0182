package dev.agentpolicy.app.console;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The browser's own protocol for those who drive it, as much of it as these tests need. */
final class DevTools implements AutoCloseable, WebSocket.Listener {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ANSWER_SECONDS = 60;

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> listeners = new ConcurrentHashMap<>();
    private final StringBuilder message = new StringBuilder();
    private final WebSocket socket;

    DevTools(URI address) {
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, this)
                .join();
    }

    /** Sends a command, of a page when a session is given, and waits for its result. */
    JsonNode send(@Nullable String session, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        var command = JSON.createObjectNode().put("id", id).put("method", method);
        command.set("params", JSON.valueToTree(parameters));
        if (session != null) {
            command.put("sessionId", session);
        }
        synchronized (this) {
            socket.sendText(command.toString(), true).join();
        }
        JsonNode answered = answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
        if (answered.has("error")) {
            throw new IllegalStateException(method + ": " + answered.get("error"));
        }
        return answered.get("result");
    }

    /** Hears the events of one session. */
    void listen(String session, Consumer<JsonNode> listener) {
        listeners.put(session, listener);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
        message.append(part);
        if (isLast) {
            JsonNode whole = JSON.readTree(message.toString());
            message.setLength(0);
            if (whole.has("id")) {
                CompletableFuture<JsonNode> answer =
                        waiting.remove(whole.get("id").asInt());
                if (answer != null) {
                    answer.complete(whole);
                }
            } else if (whole.has("sessionId")) {
                listeners
                        .getOrDefault(whole.get("sessionId").asString(), nobody -> {})
                        .accept(whole);
            }
        }
        from.request(1);
        return null;
    }

    @Override
    public void close() {
        socket.abort();
    }
}
