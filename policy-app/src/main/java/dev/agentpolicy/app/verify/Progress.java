package dev.agentpolicy.app.verify;

import java.io.PrintWriter;
import java.time.Duration;

/** Says every other second how far a long verification is. */
final class Progress {
    private static final long PAUSE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int WIDTH = 30;
    private static final int PERCENT = 100;

    private final PrintWriter out;
    private final boolean isTerminal;
    private long last = System.nanoTime();
    private boolean isShown;

    Progress(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** @param total rows of the chain, 0 when nobody said */
    void at(long seq, long total) {
        if (System.nanoTime() - last < PAUSE_NANOS) {
            return;
        }
        last = System.nanoTime();
        isShown = true;
        out.print(isTerminal ? "\r" + line(seq, total) : line(seq, total) + System.lineSeparator());
        out.flush();
    }

    void end() {
        if (isShown && isTerminal) {
            out.println();
        }
        out.flush();
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
