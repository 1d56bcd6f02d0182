package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.rate.RateTable.Window;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** One call on its way to the store, and the number it gets there. */
final class Ticket {
    /** The number of a call that was not counted in time. */
    static final long NONE = 0;

    private final Window window;
    private final CompletableFuture<Long> number = new CompletableFuture<>();

    Ticket(Window window) {
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

    /** Which call of its window it is, from 1; {@link #NONE} when that is not known in time. */
    CompletionStage<Long> number(long nanos) {
        return number.completeOnTimeout(NONE, nanos, TimeUnit.NANOSECONDS);
    }
}
