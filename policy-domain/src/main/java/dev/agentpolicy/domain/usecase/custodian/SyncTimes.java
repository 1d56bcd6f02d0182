package dev.agentpolicy.domain.usecase.custodian;

import java.time.Duration;
import java.time.Instant;

/**
 * How often custodians are synced.
 *
 * @param interval between two syncs of a custodian without orders under way
 * @param maxAge how long the holdings of a synced custodian may be decided by
 */
public record SyncTimes(Duration interval, Duration maxAge) {
    private static final Duration SOONEST = Duration.ofSeconds(1);
    private static final int PART_OF_AGE = 4;

    /** When to ask again for an order: soon after its acceptance, less often later, and at least once an interval. */
    Instant nextSync(Instant acceptedAt, Instant now) {
        Duration wait = Duration.between(acceptedAt, now).dividedBy(PART_OF_AGE);
        Duration least = wait.compareTo(SOONEST) < 0 ? SOONEST : wait;
        return now.plus(least.compareTo(interval) < 0 ? least : interval);
    }
}
