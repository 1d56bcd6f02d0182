package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Limits each exchange to a second. Repeats a slower one up to five times, because the machine itself may be slow. */
final class TimedExchange {
    private static final long MAX_MILLIS = 1_000;
    private static final int TRIES = 5;

    private TimedExchange() {}

    /** An exchange, from opening the connection to its end. */
    interface Talk<T> {
        T talk() throws IOException;
    }

    /** Returns the result of the last try. */
    static <T> T ask(Supplier<String> what, Talk<T> talk) throws IOException {
        for (int tries = 1; ; tries++) {
            long begun = System.nanoTime();
            T answered = talk.talk();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            if (millis <= MAX_MILLIS) {
                return answered;
            }
            assertThat(tries)
                    .as(() -> what.get() + "\ntook " + millis + " ms, as it did before")
                    .isLessThan(TRIES);
        }
    }
}
