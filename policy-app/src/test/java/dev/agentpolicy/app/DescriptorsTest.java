package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that may open 220 files, and clients that hold 300 connections and say nothing, or half of something. */
class DescriptorsTest {
    private static final int DESCRIPTORS = 220;
    private static final int IDLE = 300;
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"H2, ''", "POSTGRES, ''", "H2, GET / HTTP/1.1\\r\\nHost: loc"})
    void three_hundred_idle_sockets_do_not_stop_accepting(Database database, String said) throws Exception {
        Map<String, String> settings = ServiceNode.environment(folder, database.fresh(folder), Map.of());
        try (ServiceProcess process = ServiceProcess.startWithDescriptors(DESCRIPTORS, folder, settings)) {
            String address = process.address();
            ApiCaller agent = TestHousehold.withPolicy(new ApiCaller(address)).agent();
            List<Socket> guests = new ArrayList<>();
            try {
                come(address, guests, said.replace("\\r\\n", "\r\n"));

                long begun = System.nanoTime();
                for (int call = 0; call < 5; call++) {
                    assertThat(new ApiCaller(address).get("/health/live").status())
                            .isEqualTo(200);
                    assertThat(new ApiCaller(address).get("/health/ready").status())
                            .isEqualTo(200);
                    assertThat(connected(address)).startsWith("HTTP/1.1 200");
                    agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"))
                            .ok();
                }
                System.out.printf(
                        "Twenty calls took %d ms while %d connections were held%n",
                        Duration.ofNanos(System.nanoTime() - begun).toMillis(), IDLE);
                assertThat(process.err()).contains("connections, which is the limit");
                assertThat(process.err()).doesNotContain("Too many open files");
            } finally {
                for (Socket guest : guests) {
                    guest.close();
                }
            }
        }
    }

    private static void come(String address, List<Socket> guests, String said) throws IOException {
        for (int guest = 0; guest < IDLE; guest++) {
            Socket socket = connect(address);
            guests.add(socket);
            socket.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** The answer of a health check on a new connection. */
    private static String connected(String address) throws IOException {
        try (Socket socket = connect(address)) {
            socket.getOutputStream()
                    .write("GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static Socket connect(String address) throws IOException {
        URI uri = URI.create(address);
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout((int) SOON.toMillis());
        return socket;
    }
}
