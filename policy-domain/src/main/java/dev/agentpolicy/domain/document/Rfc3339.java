package dev.agentpolicy.domain.document;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses RFC 3339 date-times with any fraction and any offset. */
public final class Rfc3339 {
    private static final Pattern FORM =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\dt\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d{1,40}))?(z|[+-]\\d\\d:\\d\\d)");
    private static final int NANO_DIGITS = 9;
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private Rfc3339() {}

    /**
     * The instant of a date-time, or null. Digits below a nanosecond are cut off, and instants before 1970 become 1970,
     * because nothing in this service is older.
     */
    public static @Nullable Instant parse(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            return null;
        }
        String fraction = form.group(2) == null ? "0" : form.group(2);
        String nanos = fraction.substring(0, Math.min(NANO_DIGITS, fraction.length()));
        try {
            Instant instant = OffsetDateTime.parse(
                            (form.group(1) + "." + nanos + form.group(3)).toUpperCase(Locale.ROOT))
                    .toInstant();
            return instant.isAfter(LAST) ? null : instant.isBefore(Instant.EPOCH) ? Instant.EPOCH : instant;
        } catch (DateTimeException impossible) {
            return null;
        }
    }
}
