package dev.agentpolicy.domain.custodian;

import java.time.Duration;
import java.time.Instant;

/**
 * A synced custodian that was not heard of for too long, so that its holdings cannot be decided by.
 *
 * @param custodian its id
 * @param name for people
 * @param lastSyncedAt when it was last heard of
 */
public record StaleCustodian(String custodian, String name, Instant lastSyncedAt) {
    private static final long MAX_SECONDS = 120;
    private static final long MAX_MINUTES = 120;
    private static final long MAX_HOURS = 48;

    static StaleCustodian of(CustodianConnection connection) {
        return new StaleCustodian(connection.id(), connection.name(), connection.lastSyncedAt());
    }

    /** The message of the violation, for example {@code Alpaca was last heard of 22 minutes ago.} */
    public String message(Instant checkedAt) {
        Duration age = Duration.between(lastSyncedAt, checkedAt);
        return name + " was last heard of " + words(age.isNegative() ? Duration.ZERO : age) + " ago.";
    }

    private static String words(Duration age) {
        if (age.toSeconds() < MAX_SECONDS) {
            return count(age.toSeconds(), "second");
        }
        if (age.toMinutes() < MAX_MINUTES) {
            return count(age.toMinutes(), "minute");
        }
        return age.toHours() < MAX_HOURS ? count(age.toHours(), "hour") : count(age.toDays(), "day");
    }

    private static String count(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }
}
