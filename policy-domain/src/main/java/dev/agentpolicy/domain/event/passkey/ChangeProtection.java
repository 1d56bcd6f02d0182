package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.optional;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks of changes that let agents do more (docs/reference/passkeys.md): a confirmation, and a delay of looser
 * policies. The delay is raised at once and lowered after it.
 *
 * @param confirms whether they need a confirmation
 * @param delayHours for how many hours a looser policy waits, 0 to {@link #MAX_HOURS}; 0 for not at all
 * @param lowered the delay that takes its place later; null when none was set
 */
public record ChangeProtection(
        boolean confirms, int delayHours, @Nullable LoweredDelay lowered) {
    public static final ChangeProtection NONE = new ChangeProtection(false, 0, null);

    /** The longest delay: a week. */
    public static final int MAX_HOURS = 168;

    /**
     * A lower delay that does not count yet.
     *
     * @param hours 0 to {@link #MAX_HOURS}
     * @param effectiveAt from when on it counts
     */
    public record LoweredDelay(int hours, Instant effectiveAt) {
        static final Schema<LoweredDelay> STORED = Schema.of(
                row -> new LoweredDelay(row.next(), row.next()),
                Schema.required("hours", Codec.integer(0, MAX_HOURS), LoweredDelay::hours),
                Schema.required("effectiveAt", Codec.INSTANT, LoweredDelay::effectiveAt));
    }

    /** The stored members, which are left out where nothing is asked. */
    static final Schema<ChangeProtection> STORED = Schema.of(
            row -> {
                Boolean confirms = row.next();
                Integer hours = row.next();
                return new ChangeProtection(Boolean.TRUE.equals(confirms), hours == null ? 0 : hours, row.next());
            },
            optional("confirmChanges", Codec.TRUTH, protection -> protection.confirms ? true : null),
            optional(
                    "looseningDelayHours",
                    Codec.integer(0, MAX_HOURS),
                    protection -> protection.delayHours == 0 ? null : protection.delayHours),
            optional("loweredDelay", Codec.object(LoweredDelay.STORED), ChangeProtection::lowered));

    public ChangeProtection {
        if (delayHours < 0 || delayHours > MAX_HOURS) {
            throw new IllegalArgumentException("The delay must be 0 to " + MAX_HOURS + " hours, not " + delayHours);
        }
    }

    /** The same with the delay that counts at a time, and without a lower one that counts by then. */
    public ChangeProtection at(Instant now) {
        return lowered == null || now.isBefore(lowered.effectiveAt)
                ? this
                : new ChangeProtection(confirms, lowered.hours, null);
    }

    /** For how long a looser policy waits that is put now. */
    public Duration delay(Instant now) {
        return Duration.ofHours(at(now).delayHours);
    }

    public ChangeProtection confirming(boolean confirmsNext) {
        return new ChangeProtection(confirmsNext, delayHours, lowered);
    }

    /** With another delay: a longer one counts at once, a shorter one after the present one. */
    public ChangeProtection withDelay(int hours, Instant now) {
        ChangeProtection present = at(now);
        if (hours >= present.delayHours) {
            return new ChangeProtection(confirms, hours, null);
        }
        return present.lowered != null && present.lowered.hours == hours
                ? present
                : new ChangeProtection(
                        confirms,
                        present.delayHours,
                        new LoweredDelay(hours, now.plus(Duration.ofHours(present.delayHours))));
    }

    /** Whether another protection asks for less than this one, now or later. */
    public boolean isLoosenedBy(ChangeProtection next, Instant now) {
        return confirms && !next.confirms || next.least(now) < least(now);
    }

    /** The shortest delay that counts now or is set. */
    private int least(Instant now) {
        ChangeProtection present = at(now);
        return present.lowered == null ? present.delayHours : Math.min(present.delayHours, present.lowered.hours);
    }
}
