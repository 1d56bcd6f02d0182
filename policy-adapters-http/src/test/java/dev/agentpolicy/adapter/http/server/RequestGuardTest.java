package dev.agentpolicy.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Await;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that cannot be answered. */
class RequestGuardTest {
    private static final String CALLS = "GET /counted HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    private static final Duration QUIET = Duration.ofMillis(300);

    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final HttpServer server = start();

    @AfterEach
    void stop() {
        server.close();
    }

    /** Thousands of them wait in buffers by then. */
    @Test
    void calls_left_behind_by_a_client_that_has_disconnected_are_not_served() throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 * 1024);
        socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
        Thread sender = new Thread(() -> sendOnAndOn(socket));
        sender.start();
        awaitQuiet(sent);
        awaitQuiet(served);
        assertThat(sent.get() - served.get())
                .as("calls that wait, since the client reads no answers")
                .isGreaterThan(1_000);
        int before = served.get();

        socket.close();
        sender.join();
        awaitQuiet(served);

        assertThat(served.get() - before).isLessThan(100);
    }

    private static void awaitQuiet(AtomicInteger count) {
        int[] seen = {-1};
        long[] since = {System.nanoTime()};
        Await.until(() -> {
            if (count.get() != seen[0]) {
                seen[0] = count.get();
                since[0] = System.nanoTime();
            }
            return System.nanoTime() - since[0] > QUIET.toNanos();
        });
    }

    private void sendOnAndOn(Socket socket) {
        byte[] calls = CALLS.getBytes(StandardCharsets.ISO_8859_1);
        try {
            while (true) {
                socket.getOutputStream().write(calls);
                sent.addAndGet(100);
            }
        } catch (IOException closed) {
            // Closed by the test.
        }
    }

    private HttpServer start() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of());
        CallGate nobody = new CallGate(null, null, Clock.systemUTC(), config);
        Route counted = new Route("GET", "/counted", Access.PROBE, "-", this::refuseLater);
        return HttpServer.start(config, nobody, List.of(counted), new Metrics());
    }

    private void refuseLater(Context ctx) {
        served.incrementAndGet();
        RequestDispatch.blocking(ctx, () -> Reply.object(ctx, 429, out -> out.text("padding", "x".repeat(1_000))));
    }
}
