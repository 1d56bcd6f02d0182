package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer of server-sent events, which stays open. It holds no thread: text is written when the client has room for
 * it. Nothing is queued for a client that reads slowly; the text is made when there is room.
 *
 * <p>Thread-safe; no method blocks.
 */
public final class EventStream {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final String OPENED = "stream-opened";

    private final Supplier<String> next;
    private final ServletOutputStream out;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private boolean isListening;
    private boolean isFlushDue;

    private EventStream(Supplier<String> next, ServletOutputStream out) {
        this.next = next;
        this.out = out;
    }

    /**
     * Begins the answer. The call ends only when the stream does.
     *
     * @param next makes the text to send next, of whole events; empty if there is nothing to send. Must not block
     * @param ended runs once when the stream has ended, for whatever reason
     */
    public static EventStream open(Context ctx, Supplier<String> next, Runnable ended) throws IOException {
        ctx.status(200).contentType("text/event-stream");
        // Proxies must pass on each event at once. The connection is of no use after the stream.
        ctx.header("X-Accel-Buffering", "no").header("Connection", "close");
        EventStream stream = new EventStream(next, ctx.res().getOutputStream());
        // Begun here, so that the router sets no time by which the call must be answered.
        ctx.req().startAsync().setTimeout(0);
        RequestDispatch.onCompletion(ctx, stream::abandon);
        ctx.attribute(OPENED, System.nanoTime());
        ctx.future(() -> {
            stream.out.setWriteListener(stream.new WhenWritable());
            return stream.over;
        });
        var unused = stream.over.thenRun(ended);
        return stream;
    }

    /** When a call was answered: now, or when the stream began if it is one. In nanoseconds of the system timer. */
    public static long answeredAt(Context ctx) {
        Long opened = ctx.attribute(OPENED);
        return opened == null ? System.nanoTime() : opened;
    }

    /** Sends what there is to send, now or as soon as the client has room. */
    public void send() {
        try {
            write();
        } catch (IOException | RuntimeException gone) {
            lose(gone);
        }
    }

    /** Sends what there is to send and ends the stream. A client without room is not waited for. */
    public void end() {
        send();
        abandon();
    }

    private synchronized void write() throws IOException {
        // Before the server listens for room, writing would block.
        while (isListening && !over.isDone() && out.isReady()) {
            String text = isFlushDue ? "" : next.get();
            if (isFlushDue) {
                isFlushDue = false;
                out.flush();
            } else if (text.isEmpty()) {
                return;
            } else {
                isFlushDue = true;
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private void abandon() {
        over.complete(null);
    }

    private void lose(Throwable cause) {
        LOG.debug("The client of a stream has disconnected.", cause);
        abandon();
    }

    /** Told by the server when the client has room again, on a server thread. */
    private final class WhenWritable implements WriteListener {

        @Override
        public void onWritePossible() {
            synchronized (EventStream.this) {
                isListening = true;
            }
            send();
        }

        @Override
        public void onError(Throwable cause) {
            lose(cause);
        }
    }
}
