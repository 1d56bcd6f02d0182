package dev.agentpolicy.adapter.http.wire;

import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.RawCall;
import dev.agentpolicy.adapter.http.SlowAccounts;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slow clients, slow commits, and forwarded addresses. */
class TimeoutsTest {
    private static final int FEW = 16;

    private final SlowAccounts slow = new SlowAccounts();
    private final TestService service = new TestService(slow::before, impatient(), true).withPolicyAndPortfolio();
    private final String key = service.key();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_commit_that_times_out_is_503() {
        slow.isSlow = true;
        Client agent = service.client().withKey(key);

        Seen seen = agent.post(VALIDATE, TRADE);

        Expect.error(
                seen,
                503,
                "{\"error\":\"unavailable\",\"message\":\"The service cannot answer at the moment; try again.\"}");
        assertThat(seen.header("Retry-After")).isEqualTo("1");
        Expect.budget(seen, 49);
        slow.commit.complete(true);
        assertThat(agent.post(VALIDATE, TRADE).status()).isEqualTo(200);
        assertThat(service.logged.lines())
                .singleElement()
                .asString()
                .matches("Call \\w+ could not be answered: It was not answered in time\\.");
    }

    @Test
    void a_body_that_stops_halfway_times_out() {
        String answer = RawCall.send(
                service.server.port(),
                "POST " + VALIDATE + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                        + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"action\":");

        assertThat(answer).startsWith("HTTP/1.1 408").contains("\"error\":\"request_timeout\"");
    }

    @Test
    void a_head_that_stops_halfway_is_closed() {
        assertThat(RawCall.send(service.server.port(), "GET / HTTP/1.1\r\nHost: loc"))
                .doesNotContain("200");
    }

    @Test
    void a_head_that_arrives_byte_by_byte_is_closed() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.server.port())) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.ISO_8859_1));

            assertThatThrownBy(() -> drip(socket)).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/agent/v1/policy/validate", "/api/app/v1/session"})
    void bodies_that_do_not_arrive_delay_no_other_call(String path) throws IOException {
        Duration minute = Duration.ofMinutes(1);
        HttpConfig few =
                HttpConfig.of("127.0.0.1", 0, List.of()).withLimits(FEW, minute, minute, Duration.ofSeconds(1));
        try (TestService busy = new TestService(UnaryOperator.identity(), few, true).withPolicyAndPortfolio()) {
            String agentKey = busy.key();
            String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + agentKey
                    + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
            List<Socket> silent = new ArrayList<>();
            try {
                for (int i = 0; i < 3 * FEW; i++) {
                    Socket socket = new Socket("127.0.0.1", busy.server.port());
                    silent.add(socket);
                    socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
                }
                busy.clock.advance(Duration.ofSeconds(1));

                assertThat(busy.client().withKey(agentKey).post(VALIDATE, TRADE).status())
                        .isEqualTo(200);
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }

    /** Sends a byte now and then, forever. */
    private static void drip(Socket socket) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() < deadline) {
            socket.getOutputStream().write('a');
            Thread.sleep(50);
        }
    }

    @Test
    void only_the_last_address_a_trusted_proxy_adds_counts() {
        Client proxy = service.client();
        for (int call = 0; call < TestService.PER_SECOND; call++) {
            proxy.with("X-Forwarded-For", "made-up-" + call + ", 10.0.0.1").get("/api/agent/v1/nothing");
        }

        assertThat(proxy.with("X-Forwarded-For", "10.0.0.2, 10.0.0.1")
                        .get("/api/agent/v1/nothing")
                        .status())
                .isEqualTo(429);
        assertThat(proxy.with("X-Forwarded-For", "10.0.0.1, 10.0.0.2")
                        .get("/api/agent/v1/nothing")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void forwarded_addresses_are_ignored_without_a_trusted_proxy() {
        try (TestService open = new TestService()) {
            Client liar = open.client().with("X-Forwarded-For", "10.0.0.1");
            liar.get("/api/agent/v1/nothing");

            Expect.budget(open.client().with("X-Forwarded-For", "10.0.0.2").get("/api/agent/v1/nothing"), 48);
        }
    }

    private static HttpConfig impatient() {
        Duration moment = Duration.ofMillis(400);
        return HttpConfig.of("127.0.0.1", 0, List.of())
                .trustingProxy()
                .withLimits(50, moment, moment, Duration.ofSeconds(10));
    }
}
