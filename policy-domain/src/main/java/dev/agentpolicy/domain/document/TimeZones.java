package dev.agentpolicy.domain.document;

import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import org.jspecify.annotations.Nullable;

/** Finds time zones by their names in the IANA database, links included. */
public final class TimeZones {
    /** Names that only Java has. */
    private static final String JAVA_ONLY = "SystemV/";

    private TimeZones() {}

    /** The zone of a name; null for a fixed offset, which ignores daylight saving time, and for anything else. */
    public static @Nullable ZoneId named(String text) {
        return text.startsWith(JAVA_ONLY) ? null : signed(text);
    }

    /** As {@link #named}, of a name in the log, where those that only Java has were taken once. */
    public static @Nullable ZoneId signed(String text) {
        return ZoneRulesProvider.getAvailableZoneIds().contains(text) ? ZoneId.of(text) : null;
    }
}
