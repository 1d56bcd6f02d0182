package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.rate.RateTable.Window;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A call that waits to be counted by the shared store. */
final class PendingCount {
    /** Stands for the number of a call that was not counted in time. */
    static final long NONE = 0;

    private final Window window;
    private final CompletableFuture<Long> number = new CompletableFuture<>();

    PendingCount(Window window) {
        this.window = window;
    }

    Window window() {
        return window;
    }

    void answer(long calls) {
        number.complete(calls);
    }

    void giveUp() {
        number.complete(NONE);
    }

    /** The number of this call within its window, from 1; {@link #NONE} after the given time. */
    CompletionStage<Long> number(long nanos) {
        return number.completeOnTimeout(NONE, nanos, TimeUnit.NANOSECONDS);
    }
}
