package dev.agentpolicy.app.verify;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Prints the progress of a long verification every two seconds. */
final class Progress {
    private static final long PAUSE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int WIDTH = 30;
    private static final int PERCENT = 100;
    private static final long ROWS_WORTH_A_RATE = 1_000;

    private final PrintWriter out;
    private final boolean isTerminal;
    private long last = System.nanoTime();
    private final long begun = System.nanoTime();
    private long rows;
    private long took;
    private boolean isShown;

    Progress(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /**
     * Takes note of verified rows.
     *
     * @param seq of the last
     * @param more how many
     * @param total rows of the chain; 0 if unknown
     */
    void at(long seq, int more, long total) {
        rows += more;
        if (System.nanoTime() - last < PAUSE_NANOS) {
            return;
        }
        last = System.nanoTime();
        isShown = true;
        out.print(isTerminal ? "\r" + line(seq, total) : line(seq, total) + System.lineSeparator());
        out.flush();
    }

    /** Ends the line of a terminal. */
    void end() {
        took = System.nanoTime() - begun;
        if (isShown && isTerminal) {
            out.println();
        }
        out.flush();
    }

    /** Prints the rate, if the verification took long enough to measure one. */
    void sayRate() {
        if (rows >= ROWS_WORTH_A_RATE) {
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(took));
            out.printf(
                    "%d rows in %d.%d s, %d rows/s%n",
                    rows, millis / 1_000, millis % 1_000 / 100, rows * 1_000 / millis);
            out.flush();
        }
    }

    private static String line(long seq, long total) {
        if (total <= 0) {
            return seq + " rows";
        }
        int done = (int) Math.min(WIDTH, seq * WIDTH / total);
        long percent = Math.min(PERCENT, seq * PERCENT / total);
        return "[" + "#".repeat(done) + ".".repeat(WIDTH - done) + "] " + percent + "% of " + total + " rows";
    }
}
