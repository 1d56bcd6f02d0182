package dev.agentpolicy.adapter.http;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * How the parts behind the door are, asked at the moment somebody wants to know.
 *
 * @param isDatabaseReady whether it answers
 * @param isSignerWarm whether signing is as fast as it will be
 * @param waitingChanges changes that wait for their commit
 * @param oldestWaiting how long the oldest of them waits
 * @param isCounterAway whether calls are admitted uncounted, as the shared counters do not answer
 */
public record Vitals(
        BooleanSupplier isDatabaseReady,
        BooleanSupplier isSignerWarm,
        IntSupplier waitingChanges,
        Supplier<Duration> oldestWaiting,
        BooleanSupplier isCounterAway) {}
