package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What is left of a body that nobody wanted to read. A connection that is closed with bytes unread is reset, and the
 * client may never see why; so a decent rest is read and thrown away first, without a thread waiting for it. The thread
 * that finds the end of it reads for other connections too, and leaves the answer to another one.
 */
public final class UnreadBody implements ReadListener {
    static final int MAX_BYTES = 4 * 1024 * 1024;
    static final int MAX_SECONDS = 2;

    private final ServletInputStream in;
    private final CompletableFuture<Boolean> gone = new CompletableFuture<>();
    private final byte[] chunk = new byte[16 * 1024];
    private int total;

    private UnreadBody(ServletInputStream in) {
        this.in = in;
    }

    /** Holds the answer back until the rest has arrived, if there is one worth waiting for. */
    public static void discard(Context ctx) throws IOException {
        HttpServletRequest request = ctx.req();
        long length = request.getContentLengthLong();
        boolean hasBody = length > 0 || request.getHeader("Transfer-Encoding") != null;
        boolean isDecent = length <= MAX_BYTES
                && !AsyncBodyReader.wasListened(ctx)
                && request.getHeader("Expect") == null
                && ctx.res().getHeader("Connection") == null;
        if (hasBody && isDecent && !request.getInputStream().isFinished()) {
            ServletInputStream in = request.getInputStream();
            ctx.future(() -> {
                request.getAsyncContext().setTimeout(0);
                RequestDispatch.regain(ctx);
                return RequestDispatch.elsewhere(ctx, new UnreadBody(in).gone(), () -> {});
            });
        }
    }

    private CompletableFuture<Boolean> gone() {
        in.setReadListener(this);
        return gone.completeOnTimeout(false, MAX_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (!gone.isDone() && in.isReady()) {
            int read = in.read(chunk);
            total += Math.max(0, read);
            if (read < 0 || total > MAX_BYTES) {
                gone.complete(read < 0);
            }
        }
    }

    @Override
    public void onAllDataRead() {
        gone.complete(true);
    }

    @Override
    public void onError(Throwable broken) {
        gone.complete(false);
    }
}
