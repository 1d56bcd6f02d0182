package dev.agentpolicy.adapter.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A body that is read as it arrives, while no thread waits for it.
 *
 * <p>Once it is known how it ended, nobody reads any more. A clock can end it too, but not in the middle of a read: the answer
 * that follows gives the server back the buffer that is read from, for any other connection to use.
 *
 * @param <E> how it can end
 */
abstract class Arriving<E> implements ReadListener {
    private final ServletInputStream in;
    private final byte[] chunk;
    private final CompletableFuture<E> end = new CompletableFuture<>();

    Arriving(ServletInputStream in, int chunkBytes) {
        this.in = in;
        this.chunk = new byte[chunkBytes];
    }

    /** Begins to read; only once for each body. */
    final void listen() {
        in.setReadListener(this);
    }

    /** How it ended, after so many seconds in this way if it did not before. */
    final CompletableFuture<E> end(E late, int seconds) {
        return end.completeOnTimeout(late, seconds, TimeUnit.SECONDS).thenApply(this::afterReading);
    }

    private synchronized E afterReading(E how) {
        return how;
    }

    /** Ends in this way, unless it does in another before. */
    final void endLater(E how, int seconds) {
        end.completeOnTimeout(how, seconds, TimeUnit.SECONDS);
    }

    /** The same at once. */
    final void endNow(E how) {
        end.complete(how);
    }

    final boolean hasEnded() {
        return end.isDone();
    }

    /** Bytes at the beginning of the array, which is used again. */
    abstract void take(byte[] from, int length);

    @Override
    public final synchronized void onDataAvailable() throws IOException {
        while (!end.isDone() && in.isReady()) {
            int read = in.read(chunk);
            if (read < 0) {
                onAllDataRead();
            } else {
                take(chunk, read);
            }
        }
    }

    @Override
    public abstract void onAllDataRead();
}
