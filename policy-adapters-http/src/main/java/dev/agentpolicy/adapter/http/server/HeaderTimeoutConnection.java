package dev.agentpolicy.adapter.http.server;

import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;

/**
 * A connection on which the head of a request must be complete within the idle timeout, counted from its first byte. A
 * head that takes longer is answered 408, and the connection is closed. A connection on which nothing has arrived since
 * its last answer is closed without an answer.
 *
 * <p>This is the only class that uses Jetty's internal package.
 *
 * <p>HTTP/1.0 has no transfer codings (RFC 9112, section 6.1). A proxy that does not know them would see the end of the
 * request elsewhere, so such a request is refused with 400.
 *
 * <p>The thread that gave an answer continues with its connection. Jetty would wake another thread, which usually finds
 * nothing to read yet. This is safe because no call starts by blocking, see {@link RequestDispatch}.
 *
 * <p>Only one thread reads at a time; if a second one is notified, the first reads again afterwards. Jetty lets two
 * threads in if the bytes are no HTTP: one still parses them while another has refused them and continues. Both would
 * release the same buffer, the second time possibly while another connection uses it.
 */
final class HeaderTimeoutConnection extends HttpConnection {
    private static final int MAX_DISCARDED = 8 * 1024;

    private final long maxNanos;
    private final AtomicInteger wanted = new AtomicInteger();
    private long heads = -1;
    private long begun;
    private volatile boolean isLate;

    private HeaderTimeoutConnection(
            HttpConfiguration config, Connector connector, EndPoint endPoint, Duration longest) {
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
        if (wanted.getAndIncrement() > 0) {
            return;
        }
        try {
            do {
                read();
            } while (wanted.decrementAndGet() > 0);
        } catch (RuntimeException | Error broken) {
            wanted.set(0);
            close();
            throw broken;
        }
    }

    /** Reads more bytes, which continue the head of a request or begin one. */
    private void read() {
        long now = System.nanoTime();
        boolean isOther = heads != getMessagesIn();
        if (isHeadBegun() && (isLate || !isOther && now - begun > maxNanos)) {
            refuseLate();
            return;
        }
        if (isOther || !isHeadBegun()) {
            heads = getMessagesIn();
            begun = now;
            isLate = false;
        }
        super.onFillable();
    }

    /** Whether a part of a head has arrived. */
    private boolean isHeadBegun() {
        return getParser().inHeaderState() && !getParser().isStart();
    }

    /** Unread bytes would reset the connection before the client has seen the answer, so they are discarded. */
    private void refuseLate() {
        try {
            getEndPoint().fill(BufferUtil.allocate(MAX_DISCARDED));
        } catch (IOException gone) {
            close();
            return;
        }
        getParser().close();
        getParser()
                .getHandler()
                .badMessage(new HttpException.RuntimeException(
                        HttpStatus.REQUEST_TIMEOUT_408, "The head of the request did not arrive in time."));
    }

    /**
     * Answers a head that stopped halfway. A call that is being processed is not ended, because its client has nothing
     * to send until it is answered, and the answer timeout limits how long that takes. Jetty handles every other idle
     * connection.
     */
    @Override
    public boolean onIdleExpired(TimeoutException timeout) {
        if (isHeadBegun() && !isLate) {
            isLate = true;
            onFillable();
            return false;
        }
        return !isProcessing() && super.onIdleExpired(timeout);
    }

    /**
     * Whether the connection can be closed to make room: if no call is under way, or if its client has neither sent the
     * rest of a call nor read its answer for a while. A call that has arrived whole is never cut off.
     *
     * @param maxSlowMillis how long a client may be slow
     */
    boolean isExpendable(long maxSlowMillis) {
        return !isCallUnderWay() || !isProcessing() && idleMillis() >= maxSlowMillis;
    }

    /** Whether a call has arrived whole and is being processed. */
    private boolean isProcessing() {
        return isCallUnderWay() && !getParser().inContentState() && !isWriting();
    }

    /** Whether an answer waits until its client reads more. */
    private boolean isWriting() {
        return getEndPoint() instanceof AbstractEndPoint endPoint
                && endPoint.getWriteFlusher().isPending();
    }

    private long idleMillis() {
        return getEndPoint() instanceof AbstractEndPoint endPoint ? endPoint.getIdleFor() : 0;
    }

    /** Whether the head of a call has arrived and its answer is not yet completely sent. */
    boolean isCallUnderWay() {
        return getHttpChannel().getRequest() != null;
    }

    @Override
    protected RequestHandler newRequestHandler() {
        return new FramedRequests();
    }

    /** Refuses requests whose end two servers could see at different places. */
    private final class FramedRequests extends RequestHandler {
        private boolean isHttp10;

        @Override
        public void startRequest(String method, String uri, HttpVersion version) {
            isHttp10 = version == HttpVersion.HTTP_1_0;
            super.startRequest(method, uri, version);
        }

        @Override
        public void parsedHeader(HttpField field) {
            if (isHttp10 && field.getHeader() == HttpHeader.TRANSFER_ENCODING) {
                throw new HttpException.RuntimeException(
                        HttpStatus.BAD_REQUEST_400, "HTTP/1.0 has no transfer codings.");
            }
            super.parsedHeader(field);
        }
    }

    /** Creates the connections. */
    static final class Factory extends HttpConnectionFactory {
        private final Duration longest;

        Factory(HttpConfiguration config, Duration longest) {
            super(config);
            this.longest = longest;
        }

        @Override
        public Connection newConnection(Connector connector, EndPoint endPoint) {
            HeaderTimeoutConnection connection =
                    new HeaderTimeoutConnection(getHttpConfiguration(), connector, endPoint, longest);
            connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
            return configure(connection, connector, endPoint);
        }
    }
}
