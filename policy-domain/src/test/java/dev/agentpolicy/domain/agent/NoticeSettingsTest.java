package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.NoticeSettings.QuietHours;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When users are told of requests. */
class NoticeSettingsTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final String QUIET = "{\"start\":\"22:00\",\"end\":\"06:30\",\"tz\":\"Europe/Berlin\"}";

    /** On 2026-10-25 clocks in Berlin go back from 03:00 to 02:00, and on 2026-03-29 forward from 02:00 to 03:00. */
    @ParameterizedTest
    @CsvSource({
        "22:00, 06:30, 2026-07-01T19:59:59Z, 2026-07-01T19:59:59Z",
        "22:00, 06:30, 2026-07-01T20:00:00Z, 2026-07-02T04:30:00Z",
        "22:00, 06:30, 2026-07-02T04:29:59Z, 2026-07-02T04:30:00Z",
        "22:00, 06:30, 2026-07-02T04:30:00Z, 2026-07-02T04:30:00Z",
        "12:00, 13:00, 2026-07-01T10:30:00Z, 2026-07-01T11:00:00Z",
        "12:00, 13:00, 2026-07-01T11:00:00Z, 2026-07-01T11:00:00Z",
        "22:00, 06:30, 2026-10-24T20:00:00Z, 2026-10-25T05:30:00Z",
        "01:00, 02:30, 2026-10-25T01:15:00Z, 2026-10-25T01:30:00Z",
        "01:00, 02:30, 2026-03-29T00:30:00Z, 2026-03-29T01:30:00Z",
    })
    void quiet_hours_end_at_their_end_of_the_day_and_zone(LocalTime start, LocalTime end, Instant now, Instant next) {
        assertThat(settings(new QuietHours(start, end, BERLIN), 0).next(now, null))
                .isEqualTo(next);
    }

    @Test
    void the_next_notice_waits_for_the_digest_and_then_for_the_end_of_the_quiet_hours() {
        Instant told = Instant.parse("2026-07-01T19:50:00Z");
        Instant now = told.plusSeconds(60);
        assertThat(settings(null, 5).next(now, told)).isEqualTo(told.plusSeconds(300));
        assertThat(settings(null, 5).next(told.plusSeconds(301), told)).isEqualTo(told.plusSeconds(301));
        QuietHours night = new QuietHours(LocalTime.of(22, 0), LocalTime.of(6, 30), BERLIN);
        assertThat(settings(night, 5).next(now, told)).isEqualTo(told.plusSeconds(300));
        assertThat(settings(night, 15).next(now, told)).isEqualTo(Instant.parse("2026-07-02T04:30:00Z"));
    }

    @Test
    void settings_are_read_whole_and_what_is_wrong_is_named() {
        assertThat(read("{\"push\":\"with_amounts\",\"mail\":\"off\",\"quietHours\":" + QUIET
                                + ",\"digestMinutes\":60}")
                        .orElseThrow())
                .isEqualTo(new NoticeSettings(
                        RequestNotices.WITH_AMOUNTS,
                        RequestNotices.OFF,
                        new QuietHours(LocalTime.of(22, 0), LocalTime.of(6, 30), BERLIN),
                        60));
        assertThat(read("{\"push\":\"plain\",\"mail\":\"plain\",\"quietHours\":null,\"digestMinutes\":5}")
                        .orElseThrow())
                .isEqualTo(NoticeSettings.DEFAULT);

        assertThat(problems("{\"push\":\"on\",\"digestMinutes\":1441,\"quietHours\":"
                        + "{\"start\":\"24:00\",\"end\":\"7:00\",\"tz\":\"Berlin\",\"days\":1}}"))
                .containsExactlyInAnyOrder(
                        "push",
                        "mail",
                        "digestMinutes",
                        "quietHours.start",
                        "quietHours.end",
                        "quietHours.tz",
                        "quietHours.days");
        assertThat(problems("{\"push\":\"off\",\"mail\":\"off\",\"digestMinutes\":0,\"quietHours\":"
                        + QUIET.replace("06:30", "22:00") + "}"))
                .containsExactly("quietHours.end");
    }

    private static List<String> problems(String json) {
        return read(json)
                .fold(
                        settings -> List.of(),
                        problems -> problems.stream().map(Problem::field).toList());
    }

    private static Reading<NoticeSettings> read(String json) {
        Fields fields = new Fields(Document.parse(json).orElseThrow(), Decimals.NUMBERS);
        NoticeSettings settings = NoticeSettings.read(fields);
        return fields.finish(() -> Fields.present(settings));
    }

    private static NoticeSettings settings(@Nullable QuietHours quiet, int digestMinutes) {
        return new NoticeSettings(RequestNotices.PLAIN, RequestNotices.PLAIN, quiet, digestMinutes);
    }
}
