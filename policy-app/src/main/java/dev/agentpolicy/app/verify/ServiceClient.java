package dev.agentpolicy.app.verify;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads from a running service. Obeys Retry-After, and repeats calls that fail. */
final class ServiceClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 5;
    private static final long FIRST_PAUSE_MILLIS = 250;
    private static final int TOO_MANY = 429;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int FAILED = 500;
    private static final int OK = 200;

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final String base;
    private final @Nullable String credential;

    /** @param credential a key with the scope read; null to read public data only */
    ServiceClient(String base, @Nullable String credential) {
        this.base = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        this.credential = credential;
    }

    byte[] get(String path) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(TIMEOUT);
        if (credential != null) {
            request.header("Authorization", "Bearer " + credential);
        }
        HttpResponse<byte[]> response = sendWithRetries(request.build());
        if (response.statusCode() == UNAUTHORIZED || response.statusCode() == FORBIDDEN) {
            throw new CannotVerify("The service does not accept the key; it needs one with the scope read.");
        }
        if (response.statusCode() != OK) {
            throw new CannotVerify("The service answered " + response.statusCode() + " to " + path + ".");
        }
        return response.body();
    }

    private HttpResponse<byte[]> sendWithRetries(HttpRequest request) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            long pause = FIRST_PAUSE_MILLIS << (attempt - 1);
            try {
                HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
                boolean isOver = response.statusCode() != TOO_MANY && response.statusCode() < FAILED;
                if (isOver || attempt == ATTEMPTS) {
                    return response;
                }
                pause = Math.max(
                        pause,
                        TimeUnit.SECONDS.toMillis(response.headers()
                                .firstValueAsLong("Retry-After")
                                .orElse(0)));
            } catch (IOException away) {
                if (attempt == ATTEMPTS) {
                    throw new CannotVerify("The service at " + base + " cannot be reached.", away);
                }
            }
            TimeUnit.MILLISECONDS.sleep(pause);
        }
    }

    private URI uri(String path) {
        try {
            return URI.create(base + path);
        } catch (IllegalArgumentException malformed) {
            throw new CannotVerify(
                    "The address " + base + " is none; give one like https://policy.example.", malformed);
        }
    }
}
