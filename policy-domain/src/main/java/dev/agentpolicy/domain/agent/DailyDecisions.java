package dev.agentpolicy.domain.agent;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * How many decisions the agents of an account were given on one day, over all keys.
 *
 * @param day in UTC
 * @param count validations, items of batches and proposals, allowed or blocked
 */
public record DailyDecisions(LocalDate day, long count) {
    public static final DailyDecisions NONE = new DailyDecisions(LocalDate.EPOCH, 0);

    /** The count as it stands at a moment: a new UTC day begins with none. */
    public DailyDecisions at(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return today.isAfter(day) ? new DailyDecisions(today, 0) : this;
    }

    public DailyDecisions plus(long more) {
        return new DailyDecisions(day, count + more);
    }
}
