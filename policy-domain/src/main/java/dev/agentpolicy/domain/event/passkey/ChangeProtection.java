package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.optional;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks of changes that let agents do more (docs/reference/passkeys.md): a confirmation, and a delay of looser
 * policies. The delay is raised at once and lowered after it. At most one policy waits.
 *
 * @param confirms whether they need a confirmation
 * @param delayHours for how many hours a looser policy waits, 0 to {@link #MAX_HOURS}; 0 for not at all
 * @param lowered the delay that takes its place later; null when none was set
 * @param scheduled the looser policy that waits; null when none does
 * @param dropped the policy that waited and was invalid when its time came; null when there was none since the last change
 */
public record ChangeProtection(
        boolean confirms,
        int delayHours,
        @Nullable LoweredDelay lowered,
        @Nullable ScheduledIps scheduled,
        @Nullable DroppedIps dropped) {
    public static final ChangeProtection NONE = new ChangeProtection(false, 0, null, null, null);

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

    /**
     * A policy that was invalid when it was to come into force.
     *
     * @param scheduledAt when the user put it
     * @param droppedAt when it was to come into force, or soon after
     * @param reason what was wrong with it, in sentences
     */
    public record DroppedIps(Instant scheduledAt, Instant droppedAt, String reason) {
        static final Schema<DroppedIps> STORED = Schema.of(
                row -> new DroppedIps(row.next(), row.next(), row.next()),
                Schema.required("scheduledAt", Codec.INSTANT, DroppedIps::scheduledAt),
                Schema.required("droppedAt", Codec.INSTANT, DroppedIps::droppedAt),
                Schema.required("reason", Codec.TEXT, DroppedIps::reason));
    }

    /** The stored members, which are left out where nothing is asked. */
    static final Schema<ChangeProtection> STORED = Schema.of(
            row -> {
                Boolean confirms = row.next();
                Integer hours = row.next();
                return new ChangeProtection(
                        Boolean.TRUE.equals(confirms), hours == null ? 0 : hours, row.next(), row.next(), row.next());
            },
            optional("confirmChanges", Codec.TRUTH, protection -> protection.confirms ? true : null),
            optional(
                    "looseningDelayHours",
                    Codec.integer(0, MAX_HOURS),
                    protection -> protection.delayHours == 0 ? null : protection.delayHours),
            optional("loweredDelay", Codec.object(LoweredDelay.STORED), ChangeProtection::lowered),
            optional("scheduled", Codec.object(ScheduledIps.STORED), ChangeProtection::scheduled),
            optional("dropped", Codec.object(DroppedIps.STORED), ChangeProtection::dropped));

    public ChangeProtection {
        if (delayHours < 0 || delayHours > MAX_HOURS) {
            throw new IllegalArgumentException("The delay must be 0 to " + MAX_HOURS + " hours, not " + delayHours);
        }
    }

    /** A time, or when the policy was put that waits, if that is later: on another node, whose clock is ahead. */
    public Instant notBefore(Instant now) {
        return scheduled != null && now.isBefore(scheduled.scheduledAt()) ? scheduled.scheduledAt() : now;
    }

    /** The same with the delay that counts at a time, and without a lower one that counts by then. */
    public ChangeProtection at(Instant now) {
        return lowered == null || now.isBefore(lowered.effectiveAt)
                ? this
                : new ChangeProtection(confirms, lowered.hours, null, scheduled, dropped);
    }

    /** For how long a looser policy waits that is put now. */
    public Duration delay(Instant now) {
        return Duration.ofHours(at(now).delayHours);
    }

    public ChangeProtection confirming(boolean confirmsNext) {
        return new ChangeProtection(confirmsNext, delayHours, lowered, scheduled, dropped);
    }

    /** Whether anything is asked of changes. */
    public boolean guards(Instant now) {
        return confirms || at(now).delayHours > 0;
    }

    /** With a policy that waits, in place of any other. */
    public ChangeProtection scheduling(ScheduledIps next) {
        return new ChangeProtection(confirms, delayHours, lowered, next, null);
    }

    /** Without a policy that waits, or that was dropped. */
    public ChangeProtection unscheduled() {
        return new ChangeProtection(confirms, delayHours, lowered, null, null);
    }

    /** With the policy that waits dropped. */
    public ChangeProtection dropping(DroppedIps gone) {
        return new ChangeProtection(confirms, delayHours, lowered, null, gone);
    }

    /** With another delay: a longer one counts at once, a shorter one after the present one. */
    public ChangeProtection withDelay(int hours, Instant now) {
        ChangeProtection present = at(now);
        if (hours >= present.delayHours) {
            return new ChangeProtection(confirms, hours, null, scheduled, dropped);
        }
        return present.lowered != null && present.lowered.hours == hours
                ? present
                : new ChangeProtection(
                        confirms,
                        present.delayHours,
                        new LoweredDelay(hours, now.plus(Duration.ofHours(present.delayHours))),
                        scheduled,
                        dropped);
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
