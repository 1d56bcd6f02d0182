package dev.agentpolicy.app;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The answers to a burst of calls that all fell into one second of the clock.
 *
 * @param answers one answer for each caller
 */
record BurstResult(List<Seen> answers) {
    static final int LIMIT = 50;

    private static final int CALLERS = 200;
    private static final int A_LITTLE_LATER_MILLIS = 30;

    /**
     * Has 200 callers call in the next second.
     *
     * @param spreadMillis over how much of it; 0 for all at once
     * @return empty if some were answered in the next second, because then their window is unknown
     */
    static Optional<BurstResult> inTheNextSecond(int spreadMillis, IntFunction<Seen> call) throws InterruptedException {
        long second = Instant.now().getEpochSecond() + 1;
        sleepUntil(second * 1_000 + A_LITTLE_LATER_MILLIS);
        List<Seen> answers = ConcurrentCalls.calls(CALLERS, i -> {
            pause((long) i * spreadMillis / CALLERS);
            return call.apply(i);
        });
        return Instant.now().getEpochSecond() == second ? Optional.of(new BurstResult(answers)) : Optional.empty();
    }

    Stream<Seen> admitted() {
        return answers.stream().filter(seen -> seen.status() == 200);
    }

    Stream<Seen> refused() {
        return answers.stream().filter(seen -> seen.status() == 429);
    }

    /** The remaining calls that the admitted answers name, in order. */
    List<Integer> remaining() {
        return admitted().map(BurstResult::remaining).sorted().toList();
    }

    /** Whether a call was admitted uncounted because the store did not answer in time. */
    boolean hasUncounted() {
        return answers.stream().anyMatch(seen -> remaining(seen) == LIMIT);
    }

    static int remaining(Seen seen) {
        return Integer.parseInt(seen.header("X-RateLimit-Remaining"));
    }

    private static void sleepUntil(long epochMillis) throws InterruptedException {
        long millis = epochMillis - Instant.now().toEpochMilli();
        if (millis > 0) {
            Thread.sleep(millis);
        }
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
