package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Collects a body while it arrives; no thread waits, so a slow client delays nobody else. Bytes beyond the limit are
 * discarded for a while, so that the client can read why its call is refused.
 */
public final class AsyncBodyReader implements ReadListener {
    private static final String LISTENING = "incoming";
    private static final int MAX_SECONDS = 15;

    private final ServletInputStream in;
    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final byte[] chunk = new byte[4 * 1024];
    private int total;

    /** How a body ended. */
    enum End {
        WHOLE,
        TOO_LARGE,
        TOO_SLOW,
        BROKEN
    }

    private AsyncBodyReader(ServletInputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Starts to collect the body of a call that is answered later. */
    static AsyncBodyReader listen(Context ctx, int maxBytes) throws IOException {
        AsyncBodyReader incoming = new AsyncBodyReader(ctx.req().getInputStream(), maxBytes);
        ctx.attribute(LISTENING, incoming);
        incoming.in.setReadListener(incoming);
        return incoming;
    }

    /** Whether the body of a call was collected like this, which is possible only once. */
    static boolean wasListened(Context ctx) {
        return ctx.attribute(LISTENING) != null;
    }

    /** Whether the body of a call has not arrived completely. */
    public static boolean isAwaited(Context ctx) {
        AsyncBodyReader incoming = ctx.attribute(LISTENING);
        return incoming != null && !incoming.end.isDone();
    }

    /** Completes when the body has ended. */
    CompletableFuture<End> end() {
        return end.completeOnTimeout(End.TOO_SLOW, MAX_SECONDS, TimeUnit.SECONDS);
    }

    /** The bytes of a body that has arrived whole. */
    byte[] bytes() {
        return bytes.toByteArray();
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (!end.isDone() && in.isReady()) {
            int read = in.read(chunk);
            if (read < 0) {
                onAllDataRead();
            } else {
                take(read);
            }
        }
    }

    private void take(int read) {
        boolean wasWithin = total <= maxBytes;
        total += read;
        if (total <= maxBytes) {
            bytes.write(chunk, 0, read);
        } else if (wasWithin) {
            end.completeOnTimeout(End.TOO_LARGE, UnreadBody.MAX_SECONDS, TimeUnit.SECONDS);
        }
        if (total > UnreadBody.MAX_BYTES) {
            end.complete(End.TOO_LARGE);
        }
    }

    @Override
    public void onAllDataRead() {
        end.complete(total <= maxBytes ? End.WHOLE : End.TOO_LARGE);
    }

    @Override
    public void onError(Throwable broken) {
        boolean isLate = broken instanceof TimeoutException || broken.getCause() instanceof TimeoutException;
        end.complete(isLate ? End.TOO_SLOW : End.BROKEN);
    }
}
