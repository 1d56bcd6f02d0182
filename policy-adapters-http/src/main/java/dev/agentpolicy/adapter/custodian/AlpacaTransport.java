package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls one Trading API, for any number of accounts over shared connections. Follows no redirect, reads at most 16 MiB of
 * an answer, and gives an attempt no more time than its policy allows.
 *
 * <p>Safe for threads. A call blocks its thread until it is answered or given up, pauses between attempts included.
 */
public final class AlpacaTransport {
    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int MULTIPLE_CHOICES = 300;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private final SharedLine line;
    private final URI origin;
    private final RetryPolicy policy;
    private final InstantSource clock;
    private final @Nullable TimeLimit limit;

    /** The client, and what was heard of the broker's clock. */
    private static final class SharedLine {
        private final Supplier<HttpClient> clients;
        private volatile Instant lastTime = Instant.EPOCH;
        private @Nullable HttpClient client;

        private SharedLine(Supplier<HttpClient> clients) {
            this.clients = clients;
        }

        /** Made at the first call: it loads TLS, which takes a tenth of a start, and most nodes call no broker. */
        private synchronized HttpClient client() {
            if (client == null) {
                client = clients.get();
            }
            return client;
        }
    }

    /**
     * How long all calls together may take.
     *
     * @param end by {@link System#nanoTime}
     */
    private record TimeLimit(Duration all, long end) {
        Duration left() {
            return Duration.ofNanos(end - System.nanoTime());
        }
    }

    /**
     * Opens no connection yet.
     *
     * @param origin scheme, host and port of the Trading API, without {@code /v2}; the credentials of accounts are sent there
     * @param clock measures how long a rate limit lasts when the broker's answer has no date
     */
    public AlpacaTransport(URI origin, RetryPolicy policy, InstantSource clock) {
        this(
                origin,
                policy,
                clock,
                () -> HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(policy.timeout())
                        .build());
    }

    /** @param clients makes the client that sends the calls */
    AlpacaTransport(URI origin, RetryPolicy policy, InstantSource clock, Supplier<HttpClient> clients) {
        this(origin, policy, clock, new SharedLine(clients), null);
    }

    private AlpacaTransport(
            URI origin, RetryPolicy policy, InstantSource clock, SharedLine line, @Nullable TimeLimit limit) {
        this.origin = origin;
        this.policy = policy;
        this.clock = clock;
        this.line = line;
        this.limit = limit;
    }

    /** This transport for calls that may take so long together, from now on. Then the broker is away. */
    AlpacaTransport within(Duration all) {
        return new AlpacaTransport(origin, policy, clock, line, new TimeLimit(all, System.nanoTime() + all.toNanos()));
    }

    URI origin() {
        return origin;
    }

    /** The last time that was heard of the broker's clock; long ago before the first. */
    Instant lastTime() {
        return line.lastTime;
    }

    void heard(Instant time) {
        line.lastTime = time;
    }

    /** A call and how its answer is read. */
    record BrokerCall<T>(
            String method, String pathAndQuery, @Nullable String body, AnswerReader<T> reader) {}

    /** Reads an answer whose status is neither a fault nor a redirect. */
    @FunctionalInterface
    interface AnswerReader<T> {
        /** What was answered; empty when the status is a refusal. */
        Optional<T> read(int status, byte[] body) throws FailedAttempt;
    }

    /**
     * Makes a call that can be repeated without harm, until it is settled or the attempts are used up.
     *
     * @throws CustodianFailure when the broker could not be reached, or its answers could not be understood
     */
    <T> T repeat(BrokerCredentials credentials, BrokerCall<T> call) throws Declined {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(credentials, call);
            } catch (FailedAttempt failed) {
                sleep(pause(failed, attempt).orElseThrow(failed::away));
            }
        }
    }

    /** How long to wait before the next attempt; empty when there is none. */
    Optional<Duration> pause(FailedAttempt failed, int attempt) {
        Duration pause = failed.pause().orElseGet(() -> policy.pauseAfter(attempt));
        boolean isOver = attempt >= policy.maxAttempts() || pause.compareTo(policy.maxPause()) > 0;
        return isOver ? Optional.empty() : Optional.of(pause);
    }

    /** Waits as after an attempt that failed; the first attempt is 1. */
    void pauseAfter(int attempt) {
        sleep(policy.pauseAfter(attempt));
    }

    static void sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    private static CustodianFailure interrupted() {
        Thread.currentThread().interrupt();
        return CustodianFailure.away("The call to Alpaca was interrupted.");
    }

    /** Makes a call once. */
    <T> T once(BrokerCredentials credentials, BrokerCall<T> call) throws Declined, FailedAttempt {
        HttpResponse<byte[]> response = send(request(credentials, call));
        int status = response.statusCode();
        if (status == TOO_MANY_REQUESTS) {
            throw new FailedAttempt(
                    "Alpaca answers no more calls of this account for now (429).",
                    wantedPause(response.headers(), clock.instant()));
        }
        if (status >= SERVER_ERROR || status == REQUEST_TIMEOUT) {
            throw new FailedAttempt("Alpaca cannot answer (" + status + ").");
        }
        if (status >= MULTIPLE_CHOICES && status < BAD_REQUEST) {
            throw CustodianFailure.away(
                    "The address of Alpaca answers with a redirect (" + status + "), which is not followed.");
        }
        if (CredentialEcho.isIn(credentials, response.body()) && status < MULTIPLE_CHOICES) {
            throw new FailedAttempt("Alpaca's answer repeats the secret key, so it is not read.");
        }
        Optional<T> answer = call.reader().read(status, response.body());
        if (answer.isPresent()) {
            return answer.get();
        }
        // A refusal without the broker's words comes from something between here and the broker, except for 401.
        Optional<String> message = AlpacaJson.message(response.body());
        if (message.isEmpty() && status != UNAUTHORIZED) {
            throw new FailedAttempt("Alpaca cannot be reached: something before it answered " + status + ".");
        }
        throw new Declined(
                status, AlpacaJson.printable(CredentialEcho.hidden(credentials, message.orElse("unauthorized"))));
    }

    /**
     * How long a broker that answered 429 wants to be left alone: the seconds of {@code Retry-After}, or the time until {@code X-RateLimit-Reset}. That one is a time of the broker's
     * clock, so that it is compared with the date of the answer and not with the local clock, which may differ.
     *
     * @param local stands in for an answer without a date
     * @return empty when the headers say nothing that can be understood; never negative
     */
    static Optional<Duration> wantedPause(HttpHeaders headers, Instant local) {
        OptionalLong seconds = number(headers, "Retry-After");
        if (seconds.isPresent()) {
            return Optional.of(Duration.ofSeconds(Math.max(0, seconds.getAsLong())));
        }
        OptionalLong reset = number(headers, "X-RateLimit-Reset");
        if (reset.isEmpty()) {
            return Optional.empty();
        }
        long left = reset.getAsLong() - date(headers).orElse(local).getEpochSecond();
        return Optional.of(Duration.ofSeconds(Math.max(0, left)));
    }

    private static OptionalLong number(HttpHeaders headers, String name) {
        return headers.firstValue(name)
                .filter(value -> value.matches("[0-9]{1,12}"))
                .map(value -> OptionalLong.of(Long.parseLong(value)))
                .orElse(OptionalLong.empty());
    }

    private static Optional<Instant> date(HttpHeaders headers) {
        return headers.firstValue("Date").flatMap(text -> {
            try {
                return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant());
            } catch (DateTimeException unreadable) {
                return Optional.empty();
            }
        });
    }

    private HttpRequest request(BrokerCredentials credentials, BrokerCall<?> call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin + call.pathAndQuery()))
                .timeout(policy.timeout())
                .header("Accept", "application/json")
                .header("APCA-API-KEY-ID", credentials.keyId())
                .header("APCA-API-SECRET-KEY", credentials.secretKey());
        if (call.body() == null) {
            request.method(call.method(), HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json")
                    .method(call.method(), HttpRequest.BodyPublishers.ofString(call.body()));
        }
        return request.build();
    }

    /** The time-out of a request ends with the headers of its answer, so that the wait for its body has one of its own. */
    private HttpResponse<byte[]> send(HttpRequest request) throws FailedAttempt {
        Duration patience = patience();
        CompletableFuture<HttpResponse<byte[]>> sent = line.client().sendAsync(request, info -> new BoundedBody());
        try {
            return sent.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw tooLate();
        } catch (InterruptedException interrupted) {
            throw interrupted();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof HttpTimeoutException) {
                throw tooLate();
            }
            if (failed.getCause() instanceof IOException) {
                throw new FailedAttempt("The connection to Alpaca failed.");
            }
            throw new IllegalStateException("A call to Alpaca failed.", failed.getCause());
        } finally {
            sent.cancel(true);
        }
    }

    /** How long to wait for the next answer. */
    private Duration patience() {
        if (limit == null) {
            return policy.timeout();
        }
        Duration left = limit.left();
        if (left.isNegative() || left.isZero()) {
            throw CustodianFailure.away("Alpaca answers too slowly: within "
                    + limit.all().toSeconds() + " s it had not answered everything.");
        }
        return left.compareTo(policy.timeout()) < 0 ? left : policy.timeout();
    }

    private FailedAttempt tooLate() {
        return new FailedAttempt(
                "Alpaca did not answer within " + policy.timeout().toMillis() + " ms.");
    }

    /** Collects a body up to a size. Fails for a larger one, without reading the rest. */
    private static final class BoundedBody implements BodySubscriber<byte[]> {
        private final BodySubscriber<byte[]> collected = BodySubscribers.ofByteArray();
        private long left = MAX_ANSWER_BYTES;
        private @Nullable Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return collected.getBody();
        }

        @Override
        public void onSubscribe(Subscription to) {
            subscription = to;
            collected.onSubscribe(to);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            left -= parts.stream().mapToLong(ByteBuffer::remaining).sum();
            if (left >= 0) {
                collected.onNext(parts);
            } else if (subscription != null) {
                subscription.cancel();
                collected.onError(new IOException("The answer is larger than " + MAX_ANSWER_BYTES + " bytes."));
            }
        }

        @Override
        public void onError(Throwable failure) {
            collected.onError(failure);
        }

        @Override
        public void onComplete() {
            collected.onComplete();
        }
    }
}
