package dev.agentpolicy.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.agentpolicy.app.connection.PublicHttps;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** A push service on this computer, with a certificate for localhost. */
public final class StandInPushService implements AutoCloseable {
    private static final long SOON_SECONDS = 10;

    private final HttpsServer server;
    private final SSLContext tls;
    private final BlockingQueue<Posted> posted = new LinkedBlockingQueue<>();
    private final AtomicInteger status = new AtomicInteger(201);

    /** A message that was posted for a browser. */
    public record Posted(String path, String authorization, String topic, String body) {}

    private StandInPushService(HttpsServer server, SSLContext tls) {
        this.server = server;
        this.tls = tls;
    }

    /** @param tls has the certificate of the server, and trusts it */
    public static StandInPushService start(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }));
        StandInPushService service = new StandInPushService(server, tls);
        server.createContext("/", service::take);
        server.start();
        return service;
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        posted.add(new Posted(
                exchange.getRequestURI().getPath(),
                exchange.getRequestHeaders().getFirst("Authorization"),
                exchange.getRequestHeaders().getFirst("Topic"),
                Base64Url.encode(body)));
        exchange.sendResponseHeaders(status.get(), -1);
        exchange.close();
    }

    /** Answers with another status from now on. */
    public void answer(int with) {
        status.set(with);
    }

    public URI endpoint(String name) {
        return URI.create("https://localhost:" + server.getAddress().getPort() + "/" + name);
    }

    /** Calls this service, which is at no public address. */
    public PublicHttps web(Executor threads) {
        return new PublicHttps(threads, tls::getSocketFactory, any -> true);
    }

    /** The next message. */
    public Posted next() throws InterruptedException {
        Posted next = posted.poll(SOON_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("Nothing was pushed.");
        }
        return next;
    }

    /** How many messages nobody has looked at. */
    public int unread() {
        return posted.size();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
