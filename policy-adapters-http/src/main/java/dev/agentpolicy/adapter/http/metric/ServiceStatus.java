package dev.agentpolicy.adapter.http.metric;

import dev.agentpolicy.domain.usecase.upkeep.WriteGate;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How the parts behind the door are, asked at the moment somebody wants to know.
 *
 * @param isDatabaseReady whether it answers
 * @param isSignerWarm whether signing is as fast as it will be
 * @param waitingChanges changes that wait for their commit
 * @param oldestWaiting how long the oldest of them waits
 * @param isCounterAway whether calls are admitted uncounted, as the shared counters do not answer
 * @param uncounted calls admitted like that since the start
 * @param signing what signs now
 * @param pools the connections to the database
 * @param decisions what may stop agents' decisions
 * @param isReadOnly whether nothing is written at all for lack of room
 * @param freeBytes of the volume of the database file; NaN when it has none here
 */
public record ServiceStatus(
        BooleanSupplier isDatabaseReady,
        BooleanSupplier isSignerWarm,
        IntSupplier waitingChanges,
        Supplier<Duration> oldestWaiting,
        BooleanSupplier isCounterAway,
        LongSupplier uncounted,
        Supplier<Signing> signing,
        Supplier<List<Pool>> pools,
        WriteGate decisions,
        BooleanSupplier isReadOnly,
        DoubleSupplier freeBytes) {

    /**
     * What signs rows.
     *
     * @param implementation of Ed25519
     * @param keyId of the event key in use
     */
    public record Signing(String implementation, String keyId) {}

    /**
     * Some connections.
     *
     * @param name what they are for
     * @param most there may be
     * @param active somebody works with
     * @param idle wait for work
     * @param waiting threads that wait for one
     */
    public record Pool(String name, int most, int active, int idle, int waiting) {}
}
