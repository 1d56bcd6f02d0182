package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.document.Instants;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Whole microseconds next to any instant. */
final class Moments {

    private Moments() {}

    static Instant atOrAfter(Instant instant) {
        Instant truncated = Instants.truncated(instant);
        return truncated.equals(instant) ? instant : truncated.plus(1, ChronoUnit.MICROS);
    }

    static Instant after(Instant instant) {
        return Instants.truncated(instant).plus(1, ChronoUnit.MICROS);
    }
}
