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
 * A connection on which the head of a request must be complete within the idle timeout. A head that trickles in, or stops
 * halfway, is answered 408 and the connection is closed; a connection on which nothing has arrived is closed silently.
 *
 * <p>HTTP/1.0 has no transfer codings (RFC 9112, section 6.1): a proxy that does not know them would find the end of the
 * request elsewhere, so such a request is refused with 400.
 *
 * <p>Behind an answer the thread that gave it goes on with the connection, where the server would wake another one to
 * find nothing there yet. It may, since no call begins with waiting, see {@link RequestDispatch}.
 *
 * <p>One thread reads at a time; what another would read meanwhile is read by the same one, right after. The server lets two
 * of them in when what it reads is no HTTP: one is still at those bytes while another has refused them and goes on. Both would
 * give back the same buffer, the second time when another connection may have it already.
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
        if (wanted.getAndIncrement() == 0) {
            do {
                read();
            } while (wanted.decrementAndGet() > 0);
        }
    }

    /** More bytes came, which are part of the head of the next request or the beginning of it. */
    private void read() {
        long now = System.nanoTime();
        boolean isSameHead = getParser().inHeaderState() && heads == getMessagesIn();
        if (isSameHead && (isLate || now - begun > maxNanos)) {
            refuseLate();
            return;
        }
        if (heads != getMessagesIn()) {
            heads = getMessagesIn();
            begun = now;
        }
        super.onFillable();
    }

    /** Whether part of a head has arrived, and not yet all of it. */
    private boolean isHeadBegun() {
        return getParser().inHeaderState() && !getParser().isStart();
    }

    /** Bytes that were not read would reset the connection before the client has seen the answer. */
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
     * Answers a head that stopped halfway, and never ends a call that is worked on: its client has nothing to say until
     * it is answered, and how long that may take is bounded elsewhere. The server sees to all other silence.
     */
    @Override
    public boolean onIdleExpired(TimeoutException timeout) {
        if (isHeadBegun() && !isLate) {
            isLate = true;
            onFillable();
            return false;
        }
        return !isWorkedOn() && super.onIdleExpired(timeout);
    }

    /**
     * Whether the connection can be closed to make room for another one. It can while no call is under way, and when
     * its client has for a while neither sent the rest of a call nor read its answer. A call that was received whole is
     * never cut off while it is worked on.
     *
     * @param patienceMillis how long a client may be slow
     */
    boolean isExpendable(long patienceMillis) {
        return !isCallUnderWay() || !isWorkedOn() && idleMillis() >= patienceMillis;
    }

    /** Whether a call has arrived and its client waits for the answer, or for the rest of it. */
    private boolean isWorkedOn() {
        return isCallUnderWay() && !getParser().inContentState() && !isWriting();
    }

    /** Whether an answer waits for its client to read on. */
    private boolean isWriting() {
        return getEndPoint() instanceof AbstractEndPoint endPoint
                && endPoint.getWriteFlusher().isPending();
    }

    private long idleMillis() {
        return getEndPoint() instanceof AbstractEndPoint endPoint ? endPoint.getIdleFor() : 0;
    }

    /** Whether the head of a call has arrived whose answer is not yet sent whole. */
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

    /** Makes them. */
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
