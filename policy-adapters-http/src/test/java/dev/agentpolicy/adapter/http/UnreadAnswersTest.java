package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.wire.TestService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that sends calls endlessly and reads no answer is not served any further, and delays nobody else. */
class UnreadAnswersTest {
    private static final int MAX_BYTES = 32 * 1024 * 1024;
    private static final int TIMES = 12;
    private static final Duration SOON = Duration.ofSeconds(10);

    /** Half of the time that a stop waits for calls under way. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** The repeated call: one that passes a lane, one that looks up a key, and one that may block. */
    enum Greed {
        VERDICTS(
                "POST " + VALIDATE,
                "Content-Type: application/json\r\nContent-Length: " + TRADE.length() + "\r\n\r\n" + TRADE),
        STATE("GET /api/agent/v1/mandate", "\r\n"),
        FEEDS("GET /api/agent/v1/policy/events", "\r\n");

        private final String first;
        private final String rest;

        Greed(String first, String rest) {
            this.first = first;
            this.rest = rest;
        }
    }

    private final TestService service = new TestService().withPolicyAndPortfolio();

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @EnumSource
    void unread_answers_delay_no_other_call(Greed greed) throws Exception {
        Client decent = service.client().withKey(service.key());
        try (Socket socket = connected()) {
            Thread sender = sender(socket, greed);
            sender.join(Duration.ofSeconds(3).toMillis());

            assertThat(sender.isAlive()).as("the server reads no further").isTrue();
            long begun = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(decent.post(VALIDATE, TRADE).status()).isEqualTo(200);
                assertThat(decent.get("/api/agent/v1/whoami").status()).isEqualTo(200);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
        }
    }

    /** At any moment: during the decision, while the answer is sent, and while the server waits for the client. */
    @ParameterizedTest
    @EnumSource
    void a_client_that_disconnects_leaves_nothing_under_way(Greed greed) throws Exception {
        for (int i = 0; i < TIMES; i++) {
            try (Socket socket = connected()) {
                sender(socket, greed).join(50 + 40 * i);
            }
        }

        long begun = System.nanoTime();
        service.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE);
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 * 1024);
        socket.connect(new InetSocketAddress("127.0.0.1", service.server.port()));
        return socket;
    }

    /** Most calls exceed the limit of the key and are refused. */
    private Thread sender(Socket socket, Greed greed) {
        String call = greed.first + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + service.key() + "\r\n"
                + greed.rest;
        Thread sender = new Thread(() -> sendOnAndOn(socket, call.repeat(100)));
        sender.start();
        return sender;
    }

    private static void sendOnAndOn(Socket socket, String calls) {
        byte[] bytes = calls.getBytes(StandardCharsets.ISO_8859_1);
        try {
            for (int sent = 0; sent < MAX_BYTES; sent += bytes.length) {
                socket.getOutputStream().write(bytes);
            }
        } catch (IOException closed) {
            // Closed by the test at its end.
        }
    }
}
