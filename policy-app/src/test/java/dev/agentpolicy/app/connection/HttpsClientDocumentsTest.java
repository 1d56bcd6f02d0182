package dev.agentpolicy.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.port.ClientDocuments;
import dev.agentpolicy.domain.port.ClientDocuments.FetchedDocument;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Client documents are fetched from addresses that strangers choose. */
class HttpsClientDocumentsTest {
    private static SSLContext certificate;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        certificate = DocumentServer.certificate(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "169.254.169.254",
                "168.63.129.16",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:0:7f00:1",
                "64:ff9b::7f00:1",
                "64:ff9b:1::a00:1",
                "100::1",
                "fe80::5efe:7f00:1",
                "fe80::1",
                "fec0::1",
                "fc00::1",
                "fd12:3456::1",
                "ff02::1",
                "2001::1",
                "2001:1ff::1",
                "2001:db8::1",
                "2002:7f00:1::1",
                "3fff::1",
                "5f00::1",
                "4000::1"
            })
    void an_address_of_no_public_network_is_not_connected(String address) throws UnknownHostException {
        assertThat(PublicHttps.isPublic(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.1",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700::1111",
                "2001:200::1",
                "2a00:1450::1"
            })
    void a_public_address_is(String address) throws UnknownHostException {
        assertThat(PublicHttps.isPublic(InetAddress.getByName(address))).isTrue();
    }

    /** The name is resolved when it is connected, so it does not matter what it resolved to before. */
    @Test
    void a_name_that_points_into_the_own_network_is_not_called() throws IOException {
        AtomicInteger called = new AtomicInteger();
        try (ServerSocket own = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread listener = new Thread(() -> {
                try {
                    own.accept().close();
                    called.incrementAndGet();
                } catch (IOException closed) {
                    Thread.currentThread().interrupt();
                }
            });
            listener.setDaemon(true);
            listener.start();
            HttpsClientDocuments documents = new HttpsClientDocuments(new PublicHttps(Runnable::run));

            for (String host : new String[] {"localhost", "127.0.0.1", "[::1]", "127.1"}) {
                assertThat(documents.fetch(URI.create("https://" + host + ":" + own.getLocalPort() + "/client")))
                        .isEmpty();
            }
        }
        assertThat(called).hasValue(0);
    }

    @Test
    void a_document_is_read_with_the_age_that_its_headers_say() throws Exception {
        String largest = "{" + " ".repeat(ClientDocuments.MAX_BYTES - 2) + "}";
        for (String body : List.of("{\"client_id\":\"ü\"}", largest)) {
            try (DocumentServer server = serving("200 OK", "Cache-Control: public, max-age=600\r\n", body)) {
                assertThat(documents(server).fetch(server.at("localhost")))
                        .contains(new FetchedDocument(body, Duration.ofSeconds(600)));
            }
        }
        try (DocumentServer server = serving("200 OK", "Cache-Control: no-store, max-age=600\r\n", "{}")) {
            assertThat(documents(server).fetch(server.at("localhost")))
                    .contains(new FetchedDocument("{}", Duration.ZERO));
        }
    }

    @Test
    void a_redirect_is_not_followed() throws Exception {
        for (String status : List.of("301 Moved", "302 Found", "303 See", "307 Again", "308 Moved")) {
            try (DocumentServer server = serving(status, "Location: /other.json\r\n", "{}")) {
                assertThat(documents(server).fetch(server.at("localhost"))).isEmpty();
                assertThat(server.calls()).isEqualTo(1);
            }
        }
    }

    @Test
    void a_document_of_more_than_64_kib_is_not_read() throws Exception {
        try (DocumentServer server = serving("200 OK", "", " ".repeat(ClientDocuments.MAX_BYTES - 1) + "{}")) {
            assertThat(documents(server).fetch(server.at("localhost"))).isEmpty();
        }
    }

    @Test
    void a_server_with_a_certificate_of_another_name_or_of_nobody_is_not_believed() throws Exception {
        try (DocumentServer server = serving("200 OK", "", "{}")) {
            assertThat(documents(server).fetch(server.at("127.0.0.1"))).isEmpty();
            HttpsClientDocuments ofPublicAuthorities = new HttpsClientDocuments(
                    new PublicHttps(Runnable::run, HttpsURLConnection::getDefaultSSLSocketFactory, any -> true));
            assertThat(ofPublicAuthorities.fetch(server.at("localhost"))).isEmpty();
        }
    }

    /** Anybody can name such a server, and the threads have other work too. */
    @Test
    void servers_that_answer_byte_by_byte_hold_few_threads_and_none_for_long() throws Exception {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(40, 40, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        try (DocumentServer server = DocumentServer.start(certificate, HttpsClientDocumentsTest::drip)) {
            HttpsClientDocuments documents =
                    new HttpsClientDocuments(new PublicHttps(threads, server::client, any -> true));
            List<CompletableFuture<Optional<FetchedDocument>>> asked = IntStream.range(0, 30)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> documents.fetch(server.at("localhost")), work -> new Thread(work).start()))
                    .toList();

            asked.forEach(fetch -> assertThat(fetch.join()).isEmpty());

            assertThat(threads.getTaskCount()).isEqualTo(PublicHttps.MAX_AT_ONCE);
            threads.shutdown();
            assertThat(threads.awaitTermination(3, TimeUnit.SECONDS)).isTrue();
            assertThat(documents.fetch(server.at("localhost"))).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void drip(OutputStream out) throws IOException, InterruptedException {
        out.write("HTTP/1.1 200 OK\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
        while (true) {
            out.write('a');
            out.flush();
            Thread.sleep(100);
        }
    }

    private static DocumentServer serving(String status, String headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\nContent-Length: " + bytes.length + "\r\n" + headers + "\r\n";
        return DocumentServer.start(certificate, out -> {
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.flush();
        });
    }

    private static HttpsClientDocuments documents(DocumentServer server) {
        return new HttpsClientDocuments(new PublicHttps(Runnable::run, server::client, any -> true));
    }
}
