package dev.agentpolicy.adapter.http;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * A connection on which the head of a request must come to its end in time. One that is silent is closed by the server
 * anyway; this one closes as well on who sends a byte now and then, for ever.
 *
 * <p>Behind an answer the thread that gave it goes on with the connection, where the server would wake another one to
 * find nothing there yet. It may, since no call begins with waiting, see {@link Patience}.
 *
 * <p>One thread reads at a time; what another would read meanwhile is read by the same one, right after. The server lets two
 * of them in when what it reads is no HTTP: one is still at those bytes while another has refused them and goes on. Both would
 * give back the same buffer, the second time when another connection may have it already.
 */
final class PromptConnection extends HttpConnection {
    private final long maxNanos;
    private final AtomicInteger wanted = new AtomicInteger();
    private long heads = -1;
    private long begun;

    private PromptConnection(HttpConfiguration config, Connector connector, EndPoint endPoint, Duration longest) {
        super(config, connector, endPoint);
        this.maxNanos = longest.toNanos();
    }

    @Override
    protected Executor getExecutor() {
        return this::execute;
    }

    private void execute(Runnable task) {
        if (task == this) {
            task.run();
        } else {
            super.getExecutor().execute(task);
        }
    }

    @Override
    public void onFillable() {
        if (wanted.getAndIncrement() == 0) {
            do {
                read();
            } while (wanted.decrementAndGet() > 0);
        }
    }

    /** More bytes came, which are part of the head of the next request or the beginning of it. */
    private void read() {
        long now = System.nanoTime();
        HttpParser parser = getParser();
        if (parser.inHeaderState() && heads == getMessagesIn() && now - begun > maxNanos) {
            close();
            return;
        }
        if (heads != getMessagesIn()) {
            heads = getMessagesIn();
            begun = now;
        }
        super.onFillable();
    }

    /** Makes them. */
    static final class Factory extends HttpConnectionFactory {
        private final Duration longest;

        Factory(HttpConfiguration config, Duration longest) {
            super(config);
            this.longest = longest;
        }

        @Override
        public Connection newConnection(Connector connector, EndPoint endPoint) {
            PromptConnection connection = new PromptConnection(getHttpConfiguration(), connector, endPoint, longest);
            connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
            return configure(connection, connector, endPoint);
        }
    }
}
