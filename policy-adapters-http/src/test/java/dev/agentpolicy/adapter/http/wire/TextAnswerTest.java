package dev.agentpolicy.adapter.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.server.HttpServer;
import java.io.IOException;
import java.io.Writer;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Text that is sent while it is made. */
class TextAnswerTest {
    private static final String LINE = "x".repeat(1_000) + "\n";

    private final LoggedFailures logged = new LoggedFailures();
    private final HttpServer server = start();

    @AfterEach
    void stop() {
        server.close();
        logged.close();
    }

    @Test
    void it_may_be_of_any_length() {
        Seen seen = get("/long");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.header("Content-Type")).isEqualTo("text/csv;charset=utf-8");
        assertThat(seen.text()).hasSize(500 * LINE.length());
    }

    @Test
    void a_failure_before_anything_was_sent_is_an_error_like_any_other() {
        Seen seen = get("/failing/0");

        assertThat(seen.status()).isEqualTo(500);
        assertThat(seen.header("Content-Type")).isEqualTo("application/json");
        assertThat(seen.json().get("error").textValue()).isEqualTo("internal_error");
        assertThat(seen.json().get("requestId").textValue()).isEqualTo(seen.header("X-Request-Id"));
    }

    @Test
    void a_failure_after_that_cuts_the_connection_so_that_nobody_takes_the_text_for_complete() {
        assertThatThrownBy(() -> get("/failing/500")).hasRootCauseInstanceOf(IOException.class);
    }

    private Seen get(String path) {
        return new Client(server.address()).get(path);
    }

    private static HttpServer start() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of());
        CallGate nobody = new CallGate(null, null, Clock.systemUTC(), config);
        List<Route> routes = List.of(
                new Route(
                        "GET",
                        "/long",
                        Access.SESSION,
                        "-",
                        ctx -> Reply.text(ctx, "text/csv", out -> lines(out, 500))),
                new Route(
                        "GET",
                        "/failing/{lines}",
                        Access.SESSION,
                        "-",
                        ctx -> Reply.text(ctx, "text/csv", out -> {
                            lines(out, Integer.parseInt(ctx.pathParam("lines")));
                            throw new IllegalStateException("The store is away.");
                        })));
        return HttpServer.start(config, nobody, routes, new Metrics());
    }

    private static void lines(Writer out, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            out.write(LINE);
        }
    }
}
