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
import dev.agentpolicy.adapter.http.wire.Downloads.FileHead;
import dev.agentpolicy.domain.agent.UserId;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.Writer;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Downloads of clients that read slowly leave threads and reads to others. */
class DownloadsTest {
    private static final int MAX = 2;
    private static final String LINE = "x".repeat(1_000) + "\n";

    private final FairShare share = new FairShare();
    private final Downloads downloads = new Downloads(share, MAX);
    private final Semaphore goOn = new Semaphore(0);
    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final HttpServer server = start();

    @AfterEach
    void stop() {
        goOn.release(1_000);
        callers.shutdownNow();
        server.close();
    }

    @Test
    void a_user_has_one_download_at_a_time_and_a_node_only_so_many() {
        List<CompletableFuture<Seen>> first = List.of(call("/held/1"), call("/held/2"));
        Await.until(() -> reading.get() == MAX);

        assertRefused(get("/held/1"), 1);
        assertRefused(get("/held/3"), MAX);

        goOn.release(MAX);
        assertThat(first.stream().map(CompletableFuture::join)).allMatch(seen -> seen.status() == 200);
        goOn.release(1);
        Seen again = get("/held/3");
        assertThat(again.text()).isEqualTo("held");
        assertThat(again.header("Content-Disposition")).isEqualTo("attachment; filename=\"a.txt\"");
    }

    @Test
    void a_client_that_does_not_read_takes_no_turn_from_the_reads_of_its_user() throws Exception {
        URI address = URI.create(server.address());
        try (Socket client = new Socket(address.getHost(), address.getPort())) {
            client.getOutputStream()
                    .write("GET /endless/1 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            awaitStandstill();

            List<CompletableFuture<Seen>> reads = IntStream.range(0, FairShare.MAX_READING)
                    .mapToObj(read -> call("/read/1"))
                    .toList();

            Await.until(() -> reading.get() == FairShare.MAX_READING);
            goOn.release(FairShare.MAX_READING);
            assertThat(reads.stream().map(CompletableFuture::join)).allMatch(seen -> seen.status() == 200);
        }
    }

    /** Waits until nothing more fits into the buffers between the server and its client. */
    private void awaitStandstill() {
        AtomicInteger before = new AtomicInteger(-1);
        Await.until(() -> {
            int now = written.get();
            return now > 0 && before.getAndSet(now) == now;
        });
    }

    private static void assertRefused(Seen seen, int limit) {
        assertThat(seen.status()).isEqualTo(429);
        assertThat(seen.header("Retry-After")).isEqualTo("1");
        assertThat(seen.header("Content-Disposition")).isNull();
        assertThat(seen.json().get("limit").intValue()).isEqualTo(limit);
    }

    private CompletableFuture<Seen> call(String path) {
        return CompletableFuture.supplyAsync(() -> get(path), callers);
    }

    private Seen get(String path) {
        return new Client(server.address()).get(path);
    }

    private HttpServer start() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of());
        CallGate nobody = new CallGate(null, null, Clock.systemUTC(), config);
        List<Route> routes = List.of(
                new Route("GET", "/held/{user}", Access.SESSION, "-", ctx -> send(ctx, this::held)),
                new Route("GET", "/endless/{user}", Access.SESSION, "-", ctx -> send(ctx, this::endless)),
                new Route("GET", "/read/{user}", Access.SESSION, "-", ctx -> share.run(ctx, user(ctx), this::hold)));
        return HttpServer.start(config, nobody, routes, new Metrics());
    }

    private void send(Context ctx, Reply.TextBody body) {
        downloads.send(ctx, user(ctx), new FileHead("a.txt", "text/plain"), body);
    }

    private static UserId user(Context ctx) {
        return new UserId(new UUID(0, Long.parseLong(ctx.pathParam("user"))));
    }

    private void held(Writer out) throws IOException {
        hold();
        out.write("held");
    }

    private void hold() {
        reading.incrementAndGet();
        goOn.acquireUninterruptibly();
        reading.decrementAndGet();
    }

    private void endless(Writer out) throws IOException {
        while (true) {
            out.write(LINE);
            written.incrementAndGet();
        }
    }
}
