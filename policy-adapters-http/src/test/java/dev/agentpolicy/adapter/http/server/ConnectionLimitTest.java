package dev.agentpolicy.adapter.http.server;

import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Await;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SlowAccounts;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that hold idle connections do not keep others from connecting. */
class ConnectionLimitTest {
    private static final int MAX = 16;
    private static final int GUESTS = 4 * MAX;
    private static final Duration SOON = Duration.ofSeconds(25);
    private static final String LIVE = "/api/app/v1/me";
    private static final String HALF_BODY = "POST " + VALIDATE
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    private static final String UNREAD =
            ("GET /api/agent/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(40);

    private final SlowAccounts slow = new SlowAccounts();
    private final TestService service = new TestService(
                    slow::before, HttpConfig.of("127.0.0.1", 0, List.of()).withMaxConnections(MAX), true)
            .withPolicyAndPortfolio();
    private final String key = service.key();
    private final List<Socket> guests = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (Socket guest : guests) {
            guest.close();
        }
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HTTP/1.1\r\nHost: loc", HALF_BODY})
    void idle_connections_and_incomplete_requests_do_not_stop_accepting(String said) throws IOException {
        come(GUESTS, said);

        requireAnswered();
    }

    @Test
    void connections_with_unread_answers_do_not_stop_accepting() throws IOException {
        come(GUESTS, UNREAD);

        requireAnswered();
    }

    @Test
    void a_running_call_is_not_cut_off() throws IOException {
        slow.isSlow = true;
        CompletableFuture<Seen> deciding = CompletableFuture.supplyAsync(
                () -> new Client(service.server.address()).withKey(key).post(VALIDATE, TRADE));
        Await.until(() -> slow.arrived.get() == 1);

        come(GUESTS, "");
        requireAnswered();

        assertThat(deciding).isNotDone();
        slow.commit.complete(true);
        assertThat(deciding.join().status()).isEqualTo(200);
    }

    @Test
    void the_longest_idle_connection_is_closed_first() throws IOException {
        come(MAX - 2, "");
        try (Socket busy = connect()) {
            for (int more = 0; more < GUESTS; more++) {
                assertThat(status(busy)).isEqualTo("HTTP/1.1 401 Unauthorized");
                come(1, "");
            }
        }
    }

    private void requireAnswered() {
        long begun = System.nanoTime();
        for (int call = 0; call < 5; call++) {
            assertThat(new Client(service.server.address()).get(LIVE).status()).isEqualTo(401);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
    }

    private void come(int count, String said) throws IOException {
        for (int guest = 0; guest < count; guest++) {
            Socket socket = connect();
            guests.add(socket);
            socket.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 * 1024);
        socket.setSoTimeout((int) SOON.toMillis());
        socket.connect(new InetSocketAddress("127.0.0.1", service.server.port()));
        return socket;
    }

    /** Calls on a connection that stays open. The answer is short, and its first line is enough. */
    private static String status(Socket socket) throws IOException {
        socket.getOutputStream()
                .write(("HEAD " + LIVE + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = socket.getInputStream().read();
            assertThat(read).as("the connection is open").isNotNegative();
            head.append((char) read);
        }
        return head.substring(0, head.indexOf("\r\n"));
    }
}
