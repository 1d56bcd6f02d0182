package dev.agentpolicy.app.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpsClientDocumentsTest {

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
                "64:ff9b::7f00:1",
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
                "4000::1"
            })
    void an_address_of_no_public_network_is_not_connected(String address) throws UnknownHostException {
        assertThat(HttpsClientDocuments.isPublic(InetAddress.getByName(address)))
                .isFalse();
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
        assertThat(HttpsClientDocuments.isPublic(InetAddress.getByName(address)))
                .isTrue();
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
            HttpsClientDocuments documents = new HttpsClientDocuments(Runnable::run);

            for (String host : new String[] {"localhost", "127.0.0.1", "[::1]", "127.1"}) {
                assertThat(documents.fetch(URI.create("https://" + host + ":" + own.getLocalPort() + "/client")))
                        .isEmpty();
            }
        }
        assertThat(called).hasValue(0);
    }
}
