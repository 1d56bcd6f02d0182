package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.document.Instants;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Converts instants to columns, which hold whole microseconds in UTC. */
public final class Timestamps {

    private Timestamps() {}

    /** The value of a column of type TIMESTAMP WITH TIME ZONE. */
    public static OffsetDateTime column(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    public static @Nullable OffsetDateTime columnOrNull(@Nullable Instant instant) {
        return instant == null ? null : column(instant);
    }

    /** A time as a literal of both databases, for conditions. */
    public static String literal(Instant instant) {
        String text = Instants.format(Instants.truncated(instant));
        return "TIMESTAMP WITH TIME ZONE '" + text.replace('T', ' ').replace("Z", "+00:00") + "'";
    }

    public static Instant atOrAfter(Instant instant) {
        Instant truncated = Instants.truncated(instant);
        return truncated.equals(instant) ? instant : truncated.plus(1, ChronoUnit.MICROS);
    }

    public static Instant after(Instant instant) {
        return Instants.truncated(instant).plus(1, ChronoUnit.MICROS);
    }
}
