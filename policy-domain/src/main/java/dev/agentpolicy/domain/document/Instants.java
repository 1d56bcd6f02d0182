package dev.agentpolicy.domain.document;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Instants as text: {@code YYYY-MM-DDTHH:MM:SS.ffffffZ}, always in UTC and always 27 characters long. */
public final class Instants {
    private static final String PATTERN = "dddd-dd-ddTdd:dd:dd.ddddddZ";
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int SECONDS_PER_DAY = 86_400;
    private static final long YEAR_0 = -62_167_219_200L;
    private static final long YEAR_10000 = 253_402_300_800L;

    private static final Pattern RFC_3339 =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\dt\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d{1,40}))?(z|[+-]\\d\\d:\\d\\d)");
    private static final int NANO_DIGITS = 9;
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private Instants() {}

    /** An instant rounded down to microseconds, the precision of its text. */
    @SuppressWarnings("JavaInstantGetSecondsGetNano") // Only the part below a microsecond is wanted.
    public static Instant truncated(Instant instant) {
        return instant.getNano() % NANOS_PER_MICRO == 0 ? instant : instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** The text of an instant, rounded down to microseconds. */
    public static String format(Instant instant) {
        StringBuilder out = new StringBuilder(PATTERN.length());
        append(out, instant);
        return out.toString();
    }

    /**
     * Appends the text of an instant.
     *
     * @throws IllegalArgumentException for a year that does not have four digits
     */
    public static void append(StringBuilder out, Instant instant) {
        long seconds = instant.getEpochSecond();
        if (seconds < YEAR_0 || seconds >= YEAR_10000) {
            throw new IllegalArgumentException("An instant must lie in the years 0000 to 9999.");
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, (long) SECONDS_PER_DAY));
        int second = Math.floorMod(seconds, SECONDS_PER_DAY);
        digits(out, date.getYear(), 1_000).append('-');
        digits(out, date.getMonthValue(), 10).append('-');
        digits(out, date.getDayOfMonth(), 10).append('T');
        digits(out, second / 3_600, 10).append(':');
        digits(out, second / 60 % 60, 10).append(':');
        digits(out, second % 60, 10).append('.');
        digits(out, instant.getNano() / NANOS_PER_MICRO, 100_000).append('Z');
    }

    /** The instant of a text, or null when the text does not have exactly this form. */
    public static @Nullable Instant parse(String text) {
        if (!isOfForm(text)) {
            return null;
        }
        try {
            LocalDate date = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
            LocalTime time = LocalTime.of(
                    number(text, 11, 13),
                    number(text, 14, 16),
                    number(text, 17, 19),
                    number(text, 20, 26) * NANOS_PER_MICRO);
            return date.atTime(time).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException impossible) {
            return null;
        }
    }

    private static boolean isOfForm(String text) {
        if (text.length() != PATTERN.length()) {
            return false;
        }
        for (int i = 0; i < PATTERN.length(); i++) {
            char form = PATTERN.charAt(i);
            char c = text.charAt(i);
            if (form == 'd' ? c < '0' || c > '9' : c != form) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }

    private static StringBuilder digits(StringBuilder out, int number, int highest) {
        for (int place = highest; place > 0; place /= 10) {
            out.append((char) ('0' + number / place % 10));
        }
        return out;
    }

    /**
     * The instant of a date-time, or null. Digits below a nanosecond are cut off, and instants before 1970 become 1970,
     * because nothing in this service is older.
     */
    public static @Nullable Instant parseRfc3339(String text) {
        Matcher form = RFC_3339.matcher(text.toLowerCase(Locale.ROOT));
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
