package dev.agentpolicy.domain.agent;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The number of decisions made for an account's agents on one day, over all keys.
 *
 * @param day the UTC day
 * @param count validations, items of batches and proposals, allowed or blocked
 */
public record DailyDecisions(LocalDate day, long count) {
    public static final DailyDecisions NONE = new DailyDecisions(LocalDate.EPOCH, 0);

    /** The count at the given time; 0 when a new UTC day has begun. */
    public DailyDecisions at(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return today.isAfter(day) ? new DailyDecisions(today, 0) : this;
    }

    public DailyDecisions plus(long more) {
        return new DailyDecisions(day, count + more);
    }
}
