package dev.agentpolicy.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who opens localhost reaches this server, by IPv4 and by IPv6. */
class LocalhostTest {
    private static final String LIVE = "/api/app/v1/me";
    private static final int MAX = 16;

    @BeforeEach
    void requireIpv6() throws IOException {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null, "no IPv6 here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "0.0.0.0"})
    void localhost_answers_by_both_protocols(String host) {
        try (TestService service = new TestService(HttpConfig.of(host, 0, List.of()))) {
            int port = service.server.port();

            assertThat(service.server.browserAddress()).isEqualTo("http://localhost:" + port);
            for (String name : List.of("localhost", "127.0.0.1", "[::1]")) {
                assertThat(new Client("http://" + name + ":" + port).get(LIVE).status())
                        .as(name)
                        .isEqualTo(401);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"::1, http://[::1]:", "127.0.0.2, http://127.0.0.2:"})
    void another_address_is_served_alone_and_named_as_it_is(String host, String address) {
        try (TestService service = new TestService(HttpConfig.of(host, 0, List.of()))) {
            assertThat(service.server.browserAddress()).startsWith(address);
            assertThatThrownBy(() -> new Socket("127.0.0.1", service.server.port()).close())
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_port_of_localhost_that_another_program_has_is_not_shared() throws IOException {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress("::1", 0));
            int port = taken.getLocalPort();

            assertThatThrownBy(() -> new TestService(HttpConfig.of("127.0.0.1", port, List.of())).close())
                    .isInstanceOf(HttpServer.UnusableAddress.class)
                    .hasMessageStartingWith("Cannot listen on [::1]:" + port + ": ");
            assertThatThrownBy(() -> new Socket("127.0.0.1", port).close()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void idle_connections_by_one_protocol_do_not_keep_out_the_other() throws IOException {
        HttpConfig few = HttpConfig.of("127.0.0.1", 0, List.of()).withMaxConnections(MAX);
        List<Socket> idle = new ArrayList<>();
        try (TestService service = new TestService(few)) {
            for (int i = 0; i < 2 * MAX; i++) {
                idle.add(new Socket("127.0.0.1", service.server.port()));
            }

            assertThat(new Client("http://[::1]:" + service.server.port())
                            .get(LIVE)
                            .status())
                    .isEqualTo(401);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }
}
