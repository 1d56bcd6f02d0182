package dev.agentpolicy.adapter.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.RawCall;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a proxy could parse differently, and heads that never end. */
class FramingTest {
    private static final String LIVE = "GET /api/agent/v1/signing-keys ";
    private static final Duration MOMENT = Duration.ofMillis(400);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final TestService service = new TestService(
            HttpConfig.of("127.0.0.1", 0, List.of()).withLimits(50, MOMENT, ANSWER, Duration.ofSeconds(10)));
    private final int port = service.server.port();

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LIVE + "HTTP/1.1\nHost: localhost\r\n\r\n",
                LIVE + "HTTP/1.1\r\nHost: localhost\n\r\n",
                LIVE + "HTTP/1.1\r\nHost: localhost\r\nX: a\nY: b\r\n\r\n",
                LIVE + "HTTP/1.1\r\nHost: localhost\r\n\n",
                LIVE + "HTTP/1.1\nHost: localhost\n\n"
            })
    void a_line_that_ends_with_a_bare_line_feed_is_refused(String request) {
        requireBadRequest(RawCall.send(port, request));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: keep-alive\r\n"})
    void a_chunked_request_of_http_1_0_is_refused(String header) {
        String behind = LIVE + "HTTP/1.1\r\nHost: localhost\r\n\r\n";

        String answer = RawCall.send(
                port,
                LIVE + "HTTP/1.0\r\nHost: localhost\r\n" + header + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + behind);

        requireBadRequest(answer);
        assertThat(answer).as("nothing behind it is a request").doesNotContain("200 OK");
    }

    @Test
    void http_1_0_without_a_transfer_coding_is_answered() {
        assertThat(RawCall.send(port, LIVE + "HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
    }

    @Test
    void a_head_that_trickles_in_is_answered_408() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10);
            send(socket, LIVE + "HTTP/1.1\r\nHost: ");

            requireTimeout(answerWhileTrickling(socket));
        }
    }

    @Test
    void a_head_that_stops_halfway_is_answered_408() {
        requireTimeout(RawCall.send(port, LIVE + "HTTP/1.1\r\nHost: loc"));
    }

    @Test
    void the_second_head_of_a_connection_may_not_trickle_either() {
        String answer = RawCall.send(
                port, LIVE + "HTTP/1.1\r\nHost: localhost\r\n\r\n" + LIVE + "HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");

        assertThat(answer).startsWith("HTTP/1.1 200");
        requireTimeout(answer.substring(answer.lastIndexOf("HTTP/1.1 ")));
    }

    /** Empty lines before a request are ignored (RFC 9112, section 2.2), but renew the idle timeout of a connection. */
    @Test
    void the_time_of_a_head_is_counted_from_its_first_byte_and_not_from_the_answer_before() throws Exception {
        Duration idle = Duration.ofMillis(1_200);
        HttpConfig patient = HttpConfig.of("127.0.0.1", 0, List.of()).withLimits(50, idle, Duration.ofMinutes(1), idle);
        try (TestService other = new TestService(patient);
                Socket socket = new Socket("127.0.0.1", other.server.port())) {
            socket.setSoTimeout(60_000);
            send(socket, LIVE + "HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat((char) socket.getInputStream().read()).isEqualTo('H');
            for (int line = 0; line < 6; line++) {
                Thread.sleep(idle.toMillis() / 4);
                send(socket, "\r\n");
            }
            send(socket, LIVE + "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers)
                    .startsWith("TTP/1.1 200")
                    .contains("}HTTP/1.1 200")
                    .doesNotContain("408");
        }
    }

    private static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void a_connection_that_says_nothing_is_closed_without_an_answer() {
        assertThat(RawCall.send(port, "")).isEmpty();
    }

    /** Sends a byte now and then until an answer arrives, and reads the answer to its end. */
    private static String answerWhileTrickling(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() < deadline) {
            try {
                int read = socket.getInputStream().read();
                if (read < 0) {
                    return answer.toString();
                }
                answer.append((char) read);
            } catch (SocketTimeoutException silent) {
                socket.getOutputStream().write('a');
            }
        }
        throw new AssertionError("No end of the answer: " + answer);
    }

    private static void requireBadRequest(String answer) {
        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .contains("\"error\":\"bad_request\"")
                .containsOnlyOnce("HTTP/1.1 ");
    }

    private static void requireTimeout(String answer) {
        assertThat(answer)
                .startsWith("HTTP/1.1 408")
                .contains("\"error\":\"request_timeout\"", "X-Request-Id: ", "Connection: close");
    }
}
