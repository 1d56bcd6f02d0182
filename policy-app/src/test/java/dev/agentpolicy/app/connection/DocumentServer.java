package dev.agentpolicy.app.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** A server of client documents on this computer, with a certificate for localhost that its own clients trust. */
public final class DocumentServer implements AutoCloseable {
    private static final char[] PASSWORD = "for a test".toCharArray();
    private static final int BACKLOG = 100;

    private final SSLServerSocket socket;
    private final SSLContext tls;
    private final AtomicInteger calls = new AtomicInteger();

    /** Writes all that is sent to one client. */
    interface Replying {
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    private DocumentServer(SSLServerSocket socket, SSLContext tls) {
        this.socket = socket;
        this.tls = tls;
    }

    static DocumentServer start(SSLContext tls, Replying reply) throws IOException {
        SSLServerSocket socket = (SSLServerSocket)
                tls.getServerSocketFactory().createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        DocumentServer server = new DocumentServer(socket, tls);
        daemon(() -> server.listen(reply));
        return server;
    }

    /** What server and clients have: a certificate for localhost, which is kept in a folder. */
    public static SSLContext certificate(Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = folder.resolve("localhost.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process made = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(file.resolveSibling("keytool.log").toFile())
                .start();
        if (made.waitFor() != 0) {
            throw new AssertionError(Files.readString(file.resolveSibling("keytool.log")));
        }
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("localhost", store.getCertificate("mykey"));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return tls;
    }

    private void listen(Replying reply) {
        while (!socket.isClosed()) {
            try {
                var client = socket.accept();
                calls.incrementAndGet();
                daemon(() -> {
                    try (client) {
                        head(client.getInputStream());
                        reply.write(client.getOutputStream());
                    } catch (IOException | InterruptedException gone) {
                        Thread.currentThread().interrupt();
                    }
                });
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** Reads up to the empty line after the headers. */
    private static void head(InputStream in) throws IOException {
        for (int ends = 0; ends < 4; ) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("The client is gone.");
            }
            ends = next == '\r' || next == '\n' ? ends + 1 : 0;
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    /** The address of the document at a host. */
    URI at(String host) {
        return URI.create("https://" + host + ":" + socket.getLocalPort() + "/client.json");
    }

    SSLSocketFactory client() {
        return tls.getSocketFactory();
    }

    /** How many connections there were. */
    int calls() {
        return calls.get();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
