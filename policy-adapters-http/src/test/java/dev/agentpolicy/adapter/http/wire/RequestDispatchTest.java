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
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.jetty.util.VirtualThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The kind of thread that runs a call, on JDKs with and without virtual threads. */
class RequestDispatchTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int MAX_THREADS = 12;

    private final Semaphore goOn = new Semaphore(0);
    private final AtomicInteger blocked = new AtomicInteger();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final HttpServer server = start();

    @AfterEach
    void stop() {
        goOn.release(1_000);
        callers.shutdownNow();
        server.close();
    }

    @Test
    void a_call_that_may_block_runs_on_a_virtual_thread_where_the_jdk_has_them() {
        assertThat(isVirtual("/session")).isEqualTo(VirtualThreads.areSupported());
    }

    @Test
    void a_call_of_the_hot_path_runs_on_an_io_thread() {
        assertThat(isVirtual("/probe")).isFalse();
    }

    @Test
    void the_blocking_part_of_a_hot_call_runs_on_a_virtual_thread_where_the_jdk_has_them() {
        assertThat(isVirtual("/probe-then-block")).isEqualTo(VirtualThreads.areSupported());
    }

    /** The router needs microseconds to attach the rest of a call; the work may be done before that. */
    @Test
    void work_that_is_done_before_the_router_attaches_is_not_held_up_and_continues_on_a_server_thread() {
        assertThat(get("/attached-late").json().get("attaching").booleanValue()).isFalse();
    }

    @Test
    void no_more_calls_block_at_a_time_than_the_server_has_threads() {
        Client connected = new Client(server.address());
        assertThat(connected.get("/probe").status()).isEqualTo(200);
        List<CompletableFuture<Seen>> calls = IntStream.range(0, 3 * MAX_THREADS)
                .mapToObj(call -> CompletableFuture.supplyAsync(() -> get("/block"), callers))
                .toList();
        Await.until(() -> blocked.get() > MAX_THREADS / 2);

        assertThat(connected.get("/probe").status()).isEqualTo(200);

        goOn.release(calls.size());
        assertThat(calls.stream().map(CompletableFuture::join))
                .allSatisfy(seen ->
                        assertThat(seen.json().get("concurrent").intValue()).isBetween(1, MAX_THREADS));
    }

    @Test
    void no_other_class_of_its_package_knows_jetty() throws IOException {
        assertThat(namesOfFilesWith("wire", "org.eclipse.jetty.")).containsExactly("RequestDispatch.java");
        assertThat(namesOfFilesWith("", "org.eclipse.jetty.server.internal."))
                .containsExactly("HeaderTimeoutConnection.java");
    }

    /** The source files below a package of the module that contain a text. */
    private static List<String> namesOfFilesWith(String folder, String text) throws IOException {
        Path sources = Path.of("src/main/java/dev/agentpolicy/adapter/http", folder);
        try (Stream<Path> files = Files.walk(sources).filter(Files::isRegularFile)) {
            List<String> names = new ArrayList<>();
            for (Path file : files.toList()) {
                if (Files.readString(file).contains(text)) {
                    names.add(file.getFileName().toString());
                }
            }
            return names;
        }
    }

    private boolean isVirtual(String path) {
        return get(path).json().get("virtual").booleanValue();
    }

    private Seen get(String path) {
        return new Client(server.address()).get(path);
    }

    private HttpServer start() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of()).withLimits(MAX_THREADS, LONG, LONG, LONG);
        CallGate nobody = new CallGate(null, null, Clock.systemUTC(), config);
        List<Route> routes = List.of(
                new Route("GET", "/session", Access.SESSION, "-", RequestDispatchTest::answer),
                new Route("GET", "/probe", Access.PROBE, "-", RequestDispatchTest::probe),
                new Route(
                        "GET",
                        "/probe-then-block",
                        Access.PROBE,
                        "-",
                        ctx -> RequestDispatch.blocking(ctx, () -> answer(ctx))),
                new Route("GET", "/attached-late", Access.PROBE, "-", RequestDispatchTest::attachLate),
                new Route("GET", "/block", Access.SESSION, "-", this::block));
        return HttpServer.start(config, nobody, routes, new Metrics());
    }

    private static void probe(Context ctx) {
        Reply.onCompletingThread(ctx, CompletableFuture.completedFuture(ctx), RequestDispatchTest::answer);
    }

    private static void answer(Context ctx) {
        boolean isVirtual = VirtualThreads.isVirtualThread();
        Reply.object(ctx, 200, out -> out.truth("virtual", isVirtual));
    }

    private static void attachLate(Context ctx) throws Exception {
        CompletableFuture<?> nothing = CompletableFuture.completedFuture(null);
        CompletableFuture<Void> done = RequestDispatch.onServerThread(ctx, nothing, () -> {});
        done.get(500, TimeUnit.MILLISECONDS);
        Thread attaching = Thread.currentThread();
        ctx.future(() -> done.thenApply(rest -> {
            boolean isAttaching = Thread.currentThread().equals(attaching);
            Reply.object(ctx, 200, out -> out.truth("attaching", isAttaching));
            return rest;
        }));
    }

    private void block(Context ctx) throws InterruptedException {
        int concurrent = blocked.incrementAndGet();
        try {
            assertThat(goOn.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            blocked.decrementAndGet();
        }
        Reply.object(ctx, 200, out -> out.integer("concurrent", concurrent));
    }
}
