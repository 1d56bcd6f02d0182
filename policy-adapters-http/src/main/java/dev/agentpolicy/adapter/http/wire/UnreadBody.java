package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads and discards what is left of a body before the call is answered. Closing a connection with unread bytes resets it,
 * and the client may never see the answer. At most {@link #MAX_BYTES} are read, for at most {@link #MAX_SECONDS}, and no
 * thread waits meanwhile. The end is found on an I/O thread, so the answer is sent by a server thread.
 */
public final class UnreadBody implements ReadListener {
    static final int MAX_BYTES = 4 * 1024 * 1024;
    static final int MAX_SECONDS = 2;

    private final ServletInputStream in;
    private final CompletableFuture<Boolean> drained = new CompletableFuture<>();
    private final byte[] chunk = new byte[16 * 1024];
    private int total;

    private UnreadBody(ServletInputStream in) {
        this.in = in;
    }

    /** Delays the answer until the rest of the body has arrived, if it is small enough and worth waiting for. */
    public static void discard(Context ctx) throws IOException {
        HttpServletRequest request = ctx.req();
        long length = request.getContentLengthLong();
        boolean hasBody = length > 0 || request.getHeader("Transfer-Encoding") != null;
        boolean isWorthwhile = length <= MAX_BYTES
                && !AsyncBodyReader.wasListened(ctx)
                && request.getHeader("Expect") == null
                && ctx.res().getHeader("Connection") == null;
        if (hasBody && isWorthwhile && !request.getInputStream().isFinished()) {
            ServletInputStream in = request.getInputStream();
            ctx.future(() -> {
                request.getAsyncContext().setTimeout(0);
                RequestDispatch.allowBlocking(ctx);
                return RequestDispatch.onServerThread(ctx, new UnreadBody(in).drain(), () -> {});
            });
        }
    }

    private CompletableFuture<Boolean> drain() {
        in.setReadListener(this);
        return drained.completeOnTimeout(false, MAX_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (!drained.isDone() && in.isReady()) {
            int read = in.read(chunk);
            total += Math.max(0, read);
            if (read < 0 || total > MAX_BYTES) {
                drained.complete(read < 0);
            }
        }
    }

    @Override
    public void onAllDataRead() {
        drained.complete(true);
    }

    @Override
    public void onError(Throwable broken) {
        drained.complete(false);
    }
}
