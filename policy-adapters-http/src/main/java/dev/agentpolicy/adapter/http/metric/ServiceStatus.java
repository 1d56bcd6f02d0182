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
 * The present state of the service's parts, for health checks and metrics. Each component is read on demand.
 *
 * @param isDatabaseReady whether the database answers
 * @param isSignerWarm whether signing has reached its full speed
 * @param waitingChanges changes that wait for their commit
 * @param oldestWaiting how long the oldest of them has waited
 * @param isCounterAway whether calls are admitted uncounted, because the shared counters do not answer
 * @param uncounted calls admitted uncounted since the start
 * @param signing what signs events now
 * @param pools connection pools of the database
 * @param decisions what can stop agents' decisions
 * @param isReadOnly whether writes are stopped for lack of disk space
 * @param freeBytes free bytes on the volume of the database file; NaN if the file is not on this machine
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
     * What signs events.
     *
     * @param implementation name of the Ed25519 implementation
     * @param keyId the event key in use
     */
    public record Signing(String implementation, String keyId) {}

    /**
     * A connection pool.
     *
     * @param name its purpose
     * @param most its maximum size
     * @param active connections in use
     * @param idle connections not in use
     * @param waiting threads that wait for a connection
     */
    public record Pool(String name, int most, int active, int idle, int waiting) {}
}
