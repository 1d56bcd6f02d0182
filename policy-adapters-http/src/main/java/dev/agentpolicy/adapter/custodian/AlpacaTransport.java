package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.BrokerResult.Answered;
import dev.agentpolicy.adapter.custodian.BrokerResult.Declined;
import dev.agentpolicy.adapter.custodian.BrokerResult.Unreachable;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls one Trading API, for any number of accounts over shared connections. Follows no redirect, reads at most 16 MiB of
 * an answer, and gives an attempt no more time than its policy allows.
 *
 * <p>Safe for threads. Never blocks; futures complete on threads of this class, and callbacks must not block.
 */
public final class AlpacaTransport {
    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int MULTIPLE_CHOICES = 300;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private final Supplier<HttpClient> clients;
    private final AlpacaAddress address;
    private final RetryPolicy policy;
    private final InstantSource clock;
    private volatile Instant lastTime = Instant.EPOCH;
    private @Nullable HttpClient client;

    /**
     * Opens no connection yet.
     *
     * @param clock measures how long a rate limit lasts when the broker's answer has no date
     */
    public AlpacaTransport(AlpacaAddress address, RetryPolicy policy, InstantSource clock) {
        this(
                address,
                policy,
                clock,
                () -> HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(policy.timeout())
                        .build());
    }

    /** @param clients makes the client that sends the calls */
    AlpacaTransport(AlpacaAddress address, RetryPolicy policy, InstantSource clock, Supplier<HttpClient> clients) {
        this.address = address;
        this.policy = policy;
        this.clock = clock;
        this.clients = clients;
    }

    /** Made at the first call: it loads TLS, which takes a tenth of a start, and most nodes call no broker. */
    private synchronized HttpClient client() {
        if (client == null) {
            client = clients.get();
        }
        return client;
    }

    /** The last time that was heard of the broker's clock; long ago before the first. */
    Instant lastTime() {
        return lastTime;
    }

    void heard(Instant time) {
        lastTime = time;
    }

    RetryPolicy policy() {
        return policy;
    }

    /** The outcome of one attempt. */
    sealed interface CallOutcome<T> {

        /** Nothing is gained by another attempt. */
        record Settled<T>(BrokerResult<T> result) implements CallOutcome<T> {}

        /**
         * Whether the broker did what it was asked is not known.
         *
         * @param reason a sentence for the user
         * @param pause how long the broker wants to be left alone, if it said so
         */
        record InDoubt<T>(String reason, Optional<Duration> pause) implements CallOutcome<T> {}
    }

    /** A call and how its answer is read. */
    record BrokerCall<T>(
            String method, String pathAndQuery, @Nullable String body, AnswerReader<T> reader) {}

    /** Reads an answer whose status is neither a fault nor a redirect. */
    @FunctionalInterface
    interface AnswerReader<T> {
        /** What was answered; empty when the status is a refusal. */
        Optional<T> read(int status, byte[] body) throws MalformedAnswer;
    }

    /** Makes a call that can be repeated without harm, until it is settled or the attempts are used up. */
    <T> CompletionStage<BrokerResult<T>> repeat(AlpacaCredentials credentials, BrokerCall<T> call) {
        return repeat(credentials, call, 1);
    }

    private <T> CompletionStage<BrokerResult<T>> repeat(
            AlpacaCredentials credentials, BrokerCall<T> call, int attempt) {
        return once(credentials, call).thenCompose(outcome -> {
            if (outcome instanceof CallOutcome.Settled<T> settled) {
                return CompletableFuture.completedStage(settled.result());
            }
            CallOutcome.InDoubt<T> doubt = (CallOutcome.InDoubt<T>) outcome;
            Optional<Duration> pause = pause(doubt, attempt);
            return pause.isEmpty()
                    ? CompletableFuture.<BrokerResult<T>>completedStage(new Unreachable<>(doubt.reason()))
                    : after(pause.get()).thenCompose(done -> repeat(credentials, call, attempt + 1));
        });
    }

    /** How long to wait before the next attempt; empty when there is none. */
    Optional<Duration> pause(CallOutcome.InDoubt<?> doubt, int attempt) {
        Duration pause = doubt.pause().orElseGet(() -> policy.pauseAfter(attempt));
        boolean isOver = attempt >= policy.maxAttempts() || pause.compareTo(policy.maxPause()) > 0;
        return isOver ? Optional.empty() : Optional.of(pause);
    }

    static CompletionStage<Void> after(Duration pause) {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Makes a call once. Completes normally whatever happens to it. */
    <T> CompletionStage<CallOutcome<T>> once(AlpacaCredentials credentials, BrokerCall<T> call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(call.pathAndQuery()))
                .timeout(policy.timeout())
                .header("Accept", "application/json");
        if (call.body() == null) {
            request.method(call.method(), HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json")
                    .method(call.method(), HttpRequest.BodyPublishers.ofString(call.body()));
        }
        CompletableFuture<HttpResponse<byte[]>> sent =
                client().sendAsync(credentials.authorize(request).build(), info -> new BoundedBody(MAX_ANSWER_BYTES));
        // The time-out of a request ends with the headers of its answer; a slow body needs one of its own.
        CompletableFuture<HttpResponse<byte[]>> bounded =
                sent.copy().orTimeout(policy.timeout().toMillis(), TimeUnit.MILLISECONDS);
        return bounded.handle((response, failure) -> {
            if (failure != null) {
                sent.cancel(true);
                return new CallOutcome.InDoubt<>(reason(failure), Optional.empty());
            }
            return outcome(credentials, call, response);
        });
    }

    private <T> CallOutcome<T> outcome(
            AlpacaCredentials credentials, BrokerCall<T> call, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status == TOO_MANY_REQUESTS) {
            return new CallOutcome.InDoubt<>(
                    "Alpaca answers no more calls of this account for now (429).",
                    RateLimitWait.of(response.headers(), clock.instant()));
        }
        if (status >= SERVER_ERROR || status == REQUEST_TIMEOUT) {
            return new CallOutcome.InDoubt<>("Alpaca cannot answer (" + status + ").", Optional.empty());
        }
        if (status >= MULTIPLE_CHOICES && status < BAD_REQUEST) {
            return new CallOutcome.Settled<>(new Unreachable<>(
                    "The address of Alpaca answers with a redirect (" + status + "), which is not followed."));
        }
        try {
            Optional<T> answer = call.reader().read(status, response.body());
            if (answer.isPresent()) {
                return new CallOutcome.Settled<>(new Answered<>(answer.get()));
            }
        } catch (MalformedAnswer malformed) {
            return new CallOutcome.InDoubt<>(
                    "Alpaca's answer cannot be read: " + malformed.getMessage() + ".", Optional.empty());
        }
        return refusal(credentials, status, response.body());
    }

    /** A refusal without the broker's words comes from something between here and the broker, except for 401. */
    private static <T> CallOutcome<T> refusal(AlpacaCredentials credentials, int status, byte[] body) {
        Optional<String> message = AlpacaReader.message(body);
        if (message.isEmpty() && status != UNAUTHORIZED) {
            return new CallOutcome.InDoubt<>(
                    "Alpaca cannot be reached: something before it answered " + status + ".", Optional.empty());
        }
        return new CallOutcome.Settled<>(
                new Declined<>(status, AlpacaReader.printable(credentials.hide(message.orElse("unauthorized")))));
    }

    private String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return "Alpaca did not answer within " + policy.timeout().toMillis() + " ms.";
        }
        if (cause instanceof IOException) {
            return "The connection to Alpaca failed.";
        }
        throw new CompletionException(cause);
    }
}
