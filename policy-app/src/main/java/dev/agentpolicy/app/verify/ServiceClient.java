package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads from a running service. Obeys Retry-After, and repeats calls that fail. */
final class ServiceClient {
    private static final String FIRST = "/api/agent/v1/policy/events?order=asc&limit=500";
    private static final int MAX_CATCHING_UP = 10;
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

    /**
     * The pages of the service, up to the highest of their heads.
     *
     * @param since time of the last row that is known, null to begin at the first
     */
    Pages pages(@Nullable Instant since) {
        return new RemotePages(since);
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

    private static String since(Instant time) {
        return FIRST + "&since=" + URLEncoder.encode(Instants.format(time), StandardCharsets.UTF_8);
    }

    private final class RemotePages implements Pages {
        private @Nullable String query;
        private long lastSeq;
        private long named;
        private Instant lastTime = Instant.EPOCH;
        private int catchingUp;

        RemotePages(@Nullable Instant since) {
            this.query = since == null ? FIRST : since(since);
        }

        @Override
        public @Nullable Page next() throws IOException, InterruptedException {
            if (query == null) {
                return null;
            }
            Page page = Page.read(get(query), "the service", 0);
            if (catchingUp > 0) {
                page = page.after(lastSeq);
            }
            if (!page.rows().isEmpty()) {
                PolicyEvent last = page.rows().get(page.rows().size() - 1);
                lastSeq = last.seq();
                lastTime = last.createdAt();
            }
            named = Math.max(named, page.head() == null ? 0 : page.head().seq());
            query = following(page, query);
            return page;
        }

        @Override
        public void close() {
            query = null;
        }

        /**
         * At a service of before the head of the last page named its last row, rows may have come between the page and its
         * head. They are asked for by their time.
         */
        private @Nullable String following(Page page, String before) {
            if (page.nextCursor() != null) {
                String cursor = URLEncoder.encode(page.nextCursor(), StandardCharsets.UTF_8);
                return before.replaceAll("&cursor=.*", "") + "&cursor=" + cursor;
            }
            return named > lastSeq && catchingUp++ < MAX_CATCHING_UP ? lastSeq == 0 ? before : since(lastTime) : null;
        }
    }
}
