package dev.agentpolicy.adapter.jdbc.usage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/**
 * A histogram of latencies that takes a few hundred bytes for any number of calls. Latencies are microseconds with two
 * significant digits, so a percentile is accurate to one percent. Adding two sketches loses nothing.
 */
public final class LatencySketch {
    private static final int DIGITS = 2;
    private static final long MAX_MICROS = 3_600_000_000L;
    private static final int MICROS_PER_MILLI = 1_000;

    private final AbstractHistogram histogram;

    private LatencySketch(AbstractHistogram histogram) {
        this.histogram = histogram;
        histogram.setAutoResize(true);
    }

    /** An empty sketch with a small footprint. */
    public static LatencySketch empty() {
        return new LatencySketch(new PackedHistogram(DIGITS));
    }

    /** An empty sketch that is larger, and faster to add others to. */
    static LatencySketch sum() {
        return new LatencySketch(new Histogram(DIGITS));
    }

    /** Reads the bytes of {@link #toBytes}. */
    static LatencySketch read(byte[] bytes) {
        try {
            return new LatencySketch(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
        } catch (DataFormatException broken) {
            throw new IllegalStateException("A stored latency sketch cannot be read.", broken);
        }
    }

    public void add(long micros, long calls) {
        histogram.recordValueWithCount(Math.min(Math.max(micros, 0), MAX_MICROS), calls);
    }

    public void add(LatencySketch other) {
        histogram.add(other.histogram);
    }

    /** The latency at a percentile in milliseconds, rounded half up; 0 without calls. */
    long millisAt(double percentile) {
        if (histogram.getTotalCount() == 0) {
            return 0;
        }
        long micros = histogram.medianEquivalentValue(histogram.getValueAtPercentile(percentile));
        return (micros + MICROS_PER_MILLI / 2) / MICROS_PER_MILLI;
    }

    public byte[] toBytes() {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }
}
