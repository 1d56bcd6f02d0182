package dev.agentpolicy.adapter.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Await;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.server.HttpServer;
import dev.agentpolicy.domain.agent.UserId;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The concurrent reads of one user leave room for others. */
class FairShareTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final UserId GREEDY = user(1);
    private static final UserId OTHER = user(2);

    private final FairShare share = new FairShare();
    private final Semaphore goOn = new Semaphore(0);
    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final CompletableFuture<Void> late = new CompletableFuture<>();
    private final CompletableFuture<Void> queued = new CompletableFuture<>();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private HttpServer server = start(LONG);

    @AfterEach
    void stop() {
        goOn.release(1_000);
        callers.shutdownNow();
        server.close();
    }

    @Test
    void one_user_has_four_reads_at_once_while_others_still_read() {
        List<CompletableFuture<Seen>> greedy = calls("/slow", 40);
        awaitReading(FairShare.MAX_READING);

        assertThat(new Client(server.address()).get("/other").status()).isEqualTo(200);

        assertThat(reading).hasValue(FairShare.MAX_READING);
        goOn.release(40);
        assertThat(greedy.stream().map(CompletableFuture::join)).allMatch(seen -> seen.status() == 200);
        assertThat(reading).hasValue(0);
    }

    @Test
    void waiting_calls_hold_no_thread() {
        List<CompletableFuture<Seen>> greedy = calls("/slow", FairShare.MAX_READING + FairShare.MAX_WAITING);
        awaitReading(FairShare.MAX_READING);

        // The server has fewer threads than there are waiting calls.
        assertThat(new Client(server.address()).get("/other").status()).isEqualTo(200);

        goOn.release(greedy.size());
        assertThat(greedy.stream().map(CompletableFuture::join)).allMatch(seen -> seen.status() == 200);
    }

    @Test
    void calls_beyond_the_queue_are_429() {
        int admitted = FairShare.MAX_READING + FairShare.MAX_WAITING;
        List<CompletableFuture<Seen>> greedy = calls("/slow", admitted + 10);

        Await.until(() -> done(greedy) == 10);
        goOn.release(admitted);

        List<Seen> seen = greedy.stream().map(CompletableFuture::join).toList();
        assertThat(seen).filteredOn(it -> it.status() == 200).hasSize(admitted);
        assertThat(seen).filteredOn(it -> it.status() == 429).hasSize(10).allSatisfy(it -> {
            assertThat(it.json().get("error").textValue()).isEqualTo("rate_limit_exceeded");
            assertThat(it.header("Retry-After")).isEqualTo("1");
        });
    }

    @Test
    void a_failed_read_releases_its_permit() {
        for (int call = 0; call < 3 * FairShare.MAX_READING; call++) {
            assertThat(new Client(server.address()).get("/broken").status()).isEqualTo(500);
        }

        goOn.release(1);
        assertThat(new Client(server.address()).get("/slow").status()).isEqualTo(200);
    }

    @Test
    void a_call_that_times_out_while_it_waits_never_reads() {
        server.close();
        server = start(MOMENT);
        List<CompletableFuture<Seen>> greedy = calls("/slow", 3 * FairShare.MAX_READING);
        awaitReading(FairShare.MAX_READING);
        Await.until(() -> done(greedy) == 2 * FairShare.MAX_READING);
        goOn.release(FairShare.MAX_READING);
        greedy.forEach(CompletableFuture::join);

        goOn.release(FairShare.MAX_READING);
        List<CompletableFuture<Seen>> later = calls("/slow", FairShare.MAX_READING);

        assertThat(later.stream().map(CompletableFuture::join)).allMatch(seen -> seen.status() == 200);
        assertThat(begun).hasValue(2 * FairShare.MAX_READING);
    }

    @Test
    void a_call_that_times_out_before_it_waits_takes_no_permit() {
        server.close();
        server = start(MOMENT);
        List<CompletableFuture<Seen>> greedy = calls("/slow", FairShare.MAX_READING);
        awaitReading(FairShare.MAX_READING);
        assertThat(new Client(server.address()).get("/late").status()).isEqualTo(503);
        late.complete(null);
        goOn.release(FairShare.MAX_READING);
        greedy.forEach(CompletableFuture::join);

        List<CompletableFuture<Seen>> later = calls("/slow", FairShare.MAX_READING);

        awaitReading(FairShare.MAX_READING);
        goOn.release(FairShare.MAX_READING);
        later.forEach(CompletableFuture::join);
    }

    @Test
    void a_call_whose_turn_comes_before_the_router_attaches_may_answer_with_a_future() {
        List<CompletableFuture<Seen>> greedy = calls("/slow", FairShare.MAX_READING);
        awaitReading(FairShare.MAX_READING);
        List<CompletableFuture<Seen>> waiting = calls("/future", 1);
        Await.until(queued::isDone);

        goOn.release(FairShare.MAX_READING);

        assertThat(waiting.get(0).join().status()).isEqualTo(200);
        assertThat(greedy.stream().map(CompletableFuture::join)).allMatch(seen -> seen.status() == 200);
    }

    private void awaitReading(int count) {
        Await.until(() -> reading.get() == count);
    }

    private static long done(List<CompletableFuture<Seen>> calls) {
        return calls.stream().filter(CompletableFuture::isDone).count();
    }

    private List<CompletableFuture<Seen>> calls(String path, int count) {
        return IntStream.range(0, count)
                .mapToObj(call -> CompletableFuture.supplyAsync(() -> new Client(server.address()).get(path), callers))
                .toList();
    }

    private HttpServer start(Duration answerTimeout) {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of()).withLimits(20, LONG, answerTimeout, LONG);
        CallGate nobody = new CallGate(null, null, Clock.systemUTC(), config);
        List<Route> routes = Stream.of(
                        route("/slow", GREEDY, this::readSlowly),
                        route("/other", OTHER, () -> {}),
                        route("/broken", GREEDY, () -> {
                            throw new IllegalStateException("A read that fails.");
                        }),
                        new Route("GET", "/future", Access.SESSION, "-", this::answerLater),
                        new Route("GET", "/late", Access.SESSION, "-", this::readLate))
                .toList();
        return HttpServer.start(config, nobody, routes, new Metrics());
    }

    private Route route(String path, UserId user, Runnable read) {
        return new Route(
                "GET",
                path,
                Access.SESSION,
                "-",
                ctx -> share.run(ctx, user, () -> {
                    read.run();
                    Reply.object(ctx, 200, out -> out.truth("read", true));
                }));
    }

    /** Asks for a turn only after the call was answered because it took too long. */
    private void readLate(Context ctx) {
        ctx.future(() -> late.thenRun(() -> share.run(ctx, GREEDY, () -> {})));
    }

    /** Leaves the router no time to attach before the turn comes, and answers with a future. */
    private void answerLater(Context ctx) {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        share.run(ctx, GREEDY, () -> {
            begun.complete(null);
            ctx.future(() -> CompletableFuture.runAsync(
                    () -> Reply.object(ctx, 200, out -> out.truth("read", true)), RequestDispatch.serverThreads(ctx)));
        });
        queued.complete(null);
        begun.completeOnTimeout(null, 500, TimeUnit.MILLISECONDS).join();
    }

    private void readSlowly() {
        begun.incrementAndGet();
        reading.incrementAndGet();
        try {
            assertThat(goOn.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        } finally {
            reading.decrementAndGet();
        }
    }

    private static UserId user(int number) {
        return new UserId(new UUID(0, number));
    }
}
