package dev.agentpolicy.adapter.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.server.HttpServer;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stream of server-sent events. */
class EventStreamTest {
    private static final String EVENT = "data: 1\n\n";

    private final AtomicInteger made = new AtomicInteger();
    private final CompletableFuture<Integer> madeWhileItBegan = new CompletableFuture<>();
    private final CompletableFuture<EventStream> open = new CompletableFuture<>();

    @Test
    void what_is_sent_while_it_begins_is_written_once_the_server_listens_for_room() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of());
        CallGate nobody = new CallGate(null, null, Clock.systemUTC(), config);
        Route route = new Route("GET", "/stream", Access.SESSION, "-", this::open);
        try (HttpServer server = HttpServer.start(config, nobody, List.of(route), new Metrics())) {
            assertThat(new Client(server.address()).get("/stream").text()).isEqualTo(EVENT);
        }
        assertThat(madeWhileItBegan.join()).isZero();
    }

    private void open(Context ctx) throws IOException {
        EventStream stream = EventStream.open(ctx, this::next, () -> {});
        open.complete(stream);
        stream.send();
        madeWhileItBegan.complete(made.get());
    }

    /** One event; the stream ends when the next one is asked for. */
    private String next() {
        if (made.getAndIncrement() == 0) {
            return EVENT;
        }
        open.thenAcceptAsync(EventStream::end);
        return "";
    }
}
