package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.mcp.RpcMessage.RawObject;
import dev.agentpolicy.adapter.http.mcp.RpcMessage.Wrong;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Speaks the protocol over standard input and output for clients that start a process: each line is a message that is sent
 * to the endpoint of a service, and each answer is a line. Answers come in the order in which they arrive.
 *
 * <p>Whatever fails is an error of the protocol for the request it belongs to, and a line in the log.
 */
public final class StdioBridge {
    /** Messages that may be under way at the same time. Further lines wait. */
    private static final int MAX_UNDER_WAY = 16;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
    private static final int FIRST_ERROR = 300;
    private static final int UNAUTHORIZED = 401;
    private static final int SERVER_ERROR = -32000;

    private final URI endpoint;
    private final String key;
    private final PrintWriter out;
    private final PrintWriter log;
    private final Semaphore free = new Semaphore(MAX_UNDER_WAY);
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();

    /**
     * Creates a bridge.
     *
     * @param endpoint the address of the endpoint
     * @param key the agent key; may be wrong, then every request is answered with an error that says so
     * @param out takes the answers
     * @param log takes a line about everything that fails
     */
    public StdioBridge(URI endpoint, String key, PrintWriter out, PrintWriter log) {
        this.endpoint = endpoint;
        this.key = key;
        this.out = out;
        this.log = log;
    }

    /**
     * Passes on every line until the input ends, and returns when all of them are answered. Blocks.
     *
     * @throws IOException if the input cannot be read
     */
    public void run(BufferedReader in) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank()) {
                free.acquireUninterruptibly();
                pass(line);
            }
        }
        free.acquireUninterruptibly(MAX_UNDER_WAY);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Its callback reports every failure.
    private void pass(String line) {
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(endpoint)
                    .timeout(ANSWER_TIMEOUT)
                    .header("Authorization", "Bearer " + key)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .POST(BodyPublishers.ofString(line))
                    .build();
        } catch (IllegalArgumentException unusable) {
            fail(line, "The key in POLICY_AGENT_KEY has characters that no key has.", null);
            free.release();
            return;
        }
        http.sendAsync(request, BodyHandlers.ofString()).whenComplete((response, failed) -> {
            try {
                if (failed == null) {
                    answered(line, response);
                } else {
                    fail(line, "The service at " + endpoint + " cannot be reached: " + reason(failed) + ".", null);
                }
            } finally {
                free.release();
            }
        });
    }

    private void answered(String line, HttpResponse<String> response) {
        String body = response.body();
        RawObject object = objectOrNull(body);
        if (object != null && object.get("jsonrpc") != null) {
            write(body);
        } else if (response.statusCode() >= FIRST_ERROR) {
            String message = object == null ? null : object.text("message");
            String said = message == null ? "It is no service of this kind." : message;
            String hint = response.statusCode() == UNAUTHORIZED ? " Is POLICY_AGENT_KEY a key of this service?" : "";
            String reason = "The service at " + endpoint + " answered " + response.statusCode() + ": " + said + hint;
            fail(line, reason, message == null ? null : body);
        } else if (!body.isEmpty()) {
            fail(line, "The service at " + endpoint + " answered something else than this protocol.", null);
        }
    }

    /** Answers the request in a line with an error; a notification has no answer. */
    private void fail(String line, String reason, @Nullable String data) {
        log.println(reason);
        RawObject request = objectOrNull(line);
        String id = request == null ? null : request.get("id");
        if (request == null || id != null) {
            write(new String(RpcMessage.error(id, SERVER_ERROR, reason, data), StandardCharsets.UTF_8));
        }
    }

    private synchronized void write(String json) {
        out.println(json);
        out.flush();
    }

    private static @Nullable RawObject objectOrNull(String json) {
        try {
            return RawObject.of(json);
        } catch (Wrong other) {
            return null;
        }
    }

    private static String reason(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null && !(cause instanceof ConnectException)) {
            cause = cause.getCause();
        }
        String message = cause instanceof ConnectException ? "nothing answers there" : cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
