package dev.agentpolicy.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A body that nobody reads any more once it is known how it ended. */
class ArrivingTest {
    private static final long LATE_MILLIS = TimeUnit.SECONDS.toMillis(Leftover.MAX_SECONDS) + 500;

    @Test
    void it_does_not_end_by_the_clock_in_the_middle_of_a_read() throws Exception {
        HeldUp body = new HeldUp();
        Leftover leftover = new Leftover(body);
        CompletableFuture<Boolean> gone = leftover.gone();
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> read(leftover));
        body.reading.await();

        Thread.sleep(LATE_MILLIS);
        boolean endedMeanwhile = gone.isDone();
        body.goOn.countDown();

        assertThat(endedMeanwhile).isFalse();
        assertThat(gone.get(1, TimeUnit.SECONDS)).isFalse();
        reader.get(1, TimeUnit.SECONDS);
        assertThat(body.reads).isOne();
    }

    private static void read(Leftover leftover) {
        try {
            leftover.onDataAvailable();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Always has bytes, and takes its time to give the first. */
    private static final class HeldUp extends ServletInputStream {
        final CountDownLatch reading = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        int reads;

        @Override
        public int read(byte[] into, int from, int length) {
            reads++;
            reading.countDown();
            try {
                goOn.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return length;
        }

        @Override
        public int read() {
            return 0;
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            // The test plays the server.
        }
    }
}
