package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.TimeZones;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a user is told of requests that wait (docs/reference/notices.md).
 *
 * @param push what is pushed to the user's devices
 * @param mail what is mailed
 * @param quietHours when neither is sent; null for never
 * @param digestMinutes the shortest time between two notices of one kind
 */
public record NoticeSettings(
        RequestNotices push, RequestNotices mail, @Nullable QuietHours quietHours, int digestMinutes) {
    /** What counts until a user chooses. */
    public static final NoticeSettings DEFAULT =
            new NoticeSettings(RequestNotices.PLAIN, RequestNotices.PLAIN, null, 5);

    private static final int MAX_DIGEST_MINUTES = 24 * 60;

    /** These settings with other mails. */
    public NoticeSettings withMail(RequestNotices chosen) {
        return new NoticeSettings(push, chosen, quietHours, digestMinutes);
    }

    /** The shortest time between two notices. */
    public Duration digest() {
        return Duration.ofMinutes(digestMinutes);
    }

    /**
     * When the user may be told next.
     *
     * @param toldAt when the user was last told; null for never
     */
    public Instant next(Instant now, @Nullable Instant toldAt) {
        Instant due = toldAt == null || toldAt.plus(digest()).isBefore(now) ? now : toldAt.plus(digest());
        return quietHours == null ? due : quietHours.endAfter(due);
    }

    /** Reads the settings that a user sent; null if something is wrong with them. */
    public static @Nullable NoticeSettings read(Fields fields) {
        RequestNotices push = fields.word("push", RequestNotices.class);
        RequestNotices mail = fields.word("mail", RequestNotices.class);
        QuietHours quiet = fields.object("quietHours", QuietHours::read);
        Integer minutes = fields.integer("digestMinutes", 0, MAX_DIGEST_MINUTES);
        fields.require("push", "mail", "digestMinutes");
        return push == null || mail == null || minutes == null ? null : new NoticeSettings(push, mail, quiet, minutes);
    }

    /** The time of each day from {@code start} until {@code end}, which may be on the next day. */
    public record QuietHours(LocalTime start, LocalTime end, ZoneId zone) {
        private static final Pattern MINUTE = Pattern.compile("[0-9]{2}:[0-9]{2}");
        private static final String EXPECTED = "must be a time of day like 22:00";

        /** The end of the quiet hours that a time falls into, or the time itself if it falls into none. */
        Instant endAfter(Instant time) {
            ZonedDateTime local = time.atZone(zone);
            LocalTime clock = local.toLocalTime();
            boolean isAfterStart = !clock.isBefore(start);
            boolean isBeforeEnd = clock.isBefore(end);
            boolean isQuiet = start.isBefore(end) ? isAfterStart && isBeforeEnd : isAfterStart || isBeforeEnd;
            if (!isQuiet) {
                return time;
            }
            // An end that a day has twice is the second one, which is never before the time.
            return ZonedDateTime.of(local.toLocalDate().plusDays(isBeforeEnd ? 0 : 1), end, zone)
                    .withLaterOffsetAtOverlap()
                    .toInstant();
        }

        private static @Nullable QuietHours read(Fields fields) {
            LocalTime start = fields.meaning("start", EXPECTED, QuietHours::time);
            LocalTime end = fields.meaning("end", EXPECTED, QuietHours::time);
            ZoneId zone = fields.meaning("tz", "must be an IANA time zone such as Europe/Berlin", TimeZones::named);
            fields.require("start", "end", "tz");
            if (start != null && start.equals(end)) {
                fields.problem("end", "must differ from start");
            }
            return start == null || end == null || zone == null ? null : new QuietHours(start, end, zone);
        }

        private static @Nullable LocalTime time(String text) {
            try {
                return MINUTE.matcher(text).matches() ? LocalTime.parse(text) : null;
            } catch (DateTimeException none) {
                return null;
            }
        }
    }
}
