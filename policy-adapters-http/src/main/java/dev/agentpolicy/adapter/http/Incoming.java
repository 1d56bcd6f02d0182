package dev.agentpolicy.adapter.http;

import io.javalin.http.Context;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * A body that is still on its way, collected: who sends slowly, or nothing at all, holds up nobody else. What is beyond the
 * limit is thrown away for a while, so that the client gets to see why.
 */
final class Incoming extends Arriving<Incoming.End> {
    private static final String LISTENING = "incoming";
    private static final int MAX_SECONDS = 15;

    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    private int total;

    /** How it ended. */
    enum End {
        WHOLE,
        TOO_LARGE,
        TOO_SLOW,
        BROKEN
    }

    private Incoming(ServletInputStream in, int maxBytes) {
        super(in, 4 * 1024);
        this.maxBytes = maxBytes;
    }

    /** Begins to collect the body of a call that is answered later. */
    static Incoming listen(Context ctx, int maxBytes) throws IOException {
        Incoming incoming = new Incoming(ctx.req().getInputStream(), maxBytes);
        ctx.attribute(LISTENING, incoming);
        incoming.listen();
        return incoming;
    }

    /** Whether the body of a call was listened to, which can be done only once. */
    static boolean wasListened(Context ctx) {
        return ctx.attribute(LISTENING) != null;
    }

    /** Whether the body of a call is still awaited. */
    static boolean isAwaited(Context ctx) {
        Incoming incoming = ctx.attribute(LISTENING);
        return incoming != null && !incoming.hasEnded();
    }

    /** When it is all there, or known never to be. */
    CompletableFuture<End> end() {
        return end(End.TOO_SLOW, MAX_SECONDS);
    }

    /** What came, once it is whole. */
    byte[] bytes() {
        return bytes.toByteArray();
    }

    @Override
    void take(byte[] from, int length) {
        boolean wasWithin = total <= maxBytes;
        total += length;
        if (total <= maxBytes) {
            bytes.write(from, 0, length);
        } else if (wasWithin) {
            endLater(End.TOO_LARGE, Leftover.MAX_SECONDS);
        }
        if (total > Leftover.MAX_BYTES) {
            endNow(End.TOO_LARGE);
        }
    }

    @Override
    public void onAllDataRead() {
        endNow(total <= maxBytes ? End.WHOLE : End.TOO_LARGE);
    }

    @Override
    public void onError(Throwable broken) {
        boolean isLate = broken instanceof TimeoutException || broken.getCause() instanceof TimeoutException;
        endNow(isLate ? End.TOO_SLOW : End.BROKEN);
    }
}
