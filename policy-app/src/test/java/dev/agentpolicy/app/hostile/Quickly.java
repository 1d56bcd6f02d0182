package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A second for each exchange. A machine may be slow now and then; what hangs does so again, five times in a row. */
final class Quickly {
    private static final long LONGEST_MILLIS = 1_000;
    private static final int TRIES = 5;

    private Quickly() {}

    /** What is asked and answered from the connection to its end. */
    interface Talk<T> {
        T talk() throws IOException;
    }

    /** What came of it, of the last time when it was repeated. */
    static <T> T ask(Supplier<String> what, Talk<T> talk) throws IOException {
        for (int tries = 1; ; tries++) {
            long begun = System.nanoTime();
            T answered = talk.talk();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            if (millis <= LONGEST_MILLIS) {
                return answered;
            }
            assertThat(tries)
                    .as(() -> what.get() + "\ntook " + millis + " ms, as it did before")
                    .isLessThan(TRIES);
        }
    }
}
