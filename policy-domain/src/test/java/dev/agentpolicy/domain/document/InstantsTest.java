package dev.agentpolicy.domain.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantsTest {
    private static final DateTimeFormatter SLOW =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    @Test
    void an_instant_has_27_characters_and_whole_microseconds() {
        Instant instant = Instant.parse("2026-11-21T09:40:00.000001999Z");

        assertThat(Instants.format(instant))
                .isEqualTo("2026-11-21T09:40:00.000001Z")
                .hasSize(27);
        assertThat(Instants.truncated(instant)).isEqualTo(Instant.parse("2026-11-21T09:40:00.000001Z"));
    }

    @Test
    void the_text_equals_that_of_the_jdk_formatter_and_is_read_back() {
        Random random = new Random(42);
        for (int i = 0; i < 5_000; i++) {
            Instant instant = Instant.ofEpochSecond(
                    (long) (random.nextDouble() * 315_000_000_000L) - 62_000_000_000L, random.nextInt(1_000_000_000));
            assertThat(Instants.format(instant)).as("seed 42").isEqualTo(SLOW.format(instant));
            assertThat(Instants.parse(Instants.format(instant))).isEqualTo(Instants.truncated(instant));
        }
    }

    @Test
    void a_year_without_four_digits_has_no_text() {
        assertThatIllegalArgumentException().isThrownBy(() -> Instants.format(Instant.MAX));
        assertThatIllegalArgumentException().isThrownBy(() -> Instants.format(Instant.parse("-0001-12-31T23:59:59Z")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-11-21T09:40:00Z",
                "2026-11-21T09:40:00.000Z",
                "2026-11-21T09:40:00.0000000Z",
                "2026-11-21T09:40:00.000000z",
                "2026-11-21 09:40:00.000000Z",
                "2026-11-21T09:40:00,000000Z",
                "2026-11-21T24:00:00.000000Z",
                "2026-11-21T09:40:60.000000Z",
                "2026-02-29T09:40:00.000000Z",
                "2026-13-01T09:40:00.000000Z",
                "+026-11-21T09:40:00.000000Z",
                "2026-11-21T09:40:00.00000\u0660Z"
            })
    void any_other_form_is_not_read(String text) {
        assertThat(Instants.parse(text)).isNull();
    }
}
