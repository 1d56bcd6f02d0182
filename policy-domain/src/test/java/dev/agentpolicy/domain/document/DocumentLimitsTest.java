package dev.agentpolicy.domain.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The limits of values: the last accepted one and the first refused one. */
class DocumentLimitsTest {
    private static final BigDecimal ENDLESS = BigDecimal.TEN.pow(60);

    @Test
    void a_decimal_text_has_64_characters_at_most_and_a_signed_one_128() {
        String longest = "1." + "0".repeat(62);
        String signed = "1." + "0".repeat(126);

        assertThat(Decimals.NUMBERS_OR_TEXT.read(longest)).isEqualByComparingTo("1");
        assertThat(Decimals.NUMBERS_OR_TEXT.read(longest + "0")).isNull();
        assertThat(Decimals.TEXT.read(signed)).isEqualByComparingTo("1");
        assertThat(Decimals.TEXT.read(signed + "0")).isNull();
        assertThat(Decimals.TEXT.read(BigDecimal.ONE)).isNull();
        assertThat(Decimals.NUMBERS.read("1")).isNull();
        assertThat(Decimals.NUMBERS_OR_TEXT.read("1")).isEqualByComparingTo("1");
    }

    @Test
    void a_number_may_have_any_digits_that_its_range_and_its_decimals_allow() {
        Fields.NumberRange range = new Fields.NumberRange(BigDecimal.ZERO, ENDLESS, 60);
        String refused = "must be a number from 0 to 1" + "0".repeat(60);

        assertThat(range.complaint(new BigDecimal("9".repeat(60) + "." + "9".repeat(60))))
                .isNull();
        assertThat(range.complaint(new BigDecimal("9".repeat(61)))).isEqualTo(refused);
        assertThat(range.complaint(new BigDecimal("1e2000000000"))).isEqualTo(refused);
        assertThat(range.complaint(new BigDecimal("-1e-2000000000"))).isEqualTo(refused);
        assertThat(range.complaint(new BigDecimal("1e-60"))).isNull();
        assertThat(range.complaint(new BigDecimal("1e-61"))).isEqualTo("must have at most 60 decimals");
        assertThat(range.complaint(new BigDecimal("1e-2000000000"))).isEqualTo("must have at most 60 decimals");
        assertThat(range.complaint(new BigDecimal("0e2000000000"))).isNull();
    }

    @Test
    void a_range_includes_its_ends_and_trailing_zeros_are_not_counted() {
        Fields.NumberRange range = new Fields.NumberRange(BigDecimal.ONE, BigDecimal.TEN, 1);

        assertThat(range.complaint(BigDecimal.ONE)).isNull();
        assertThat(range.complaint(BigDecimal.TEN)).isNull();
        assertThat(range.complaint(new BigDecimal("0.9"))).isEqualTo("must be a number from 1 to 10");
        assertThat(range.complaint(new BigDecimal("10.1"))).isEqualTo("must be a number from 1 to 10");
        assertThat(range.complaint(new BigDecimal("1.5000"))).isNull();
        assertThat(range.complaint(new BigDecimal("1.55"))).isEqualTo("must have at most 1 decimals");
    }

    @Test
    void an_instant_lies_in_the_years_0000_to_9999() {
        Instant first = Instant.parse("0000-01-01T00:00:00Z");
        Instant last = Instant.parse("9999-12-31T23:59:59.999999Z");

        assertThat(Instants.format(first)).isEqualTo("0000-01-01T00:00:00.000000Z");
        assertThat(Instants.format(last)).isEqualTo("9999-12-31T23:59:59.999999Z");
        for (Instant beyond : List.of(first.minusNanos(1), last.plusNanos(1_000))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Instants.format(beyond))
                    .withMessage("An instant must lie in the years 0000 to 9999.");
        }
    }

    @Test
    void an_untrusted_text_is_shown_up_to_forty_characters() {
        assertThat(PlainText.shown("x".repeat(40))).isEqualTo("x".repeat(40));
        assertThat(PlainText.shown("x".repeat(41))).isEqualTo("x".repeat(40) + "...");
        assertThat(PlainText.shown("a\nb\uD800")).isEqualTo("a?b?");
        assertThat(PlainText.shown("a\u0085b\u009b\u00a0")).isEqualTo("a?b?\u00a0");
    }

    @Test
    void a_hash_is_64_lower_case_hex_characters() {
        String hash = Sha256.hex("");

        assertThat(hash).isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assertThat(Sha256.isHex(hash)).isTrue();
        assertThat(Sha256.isHex("0123456789abcdef".repeat(4))).isTrue();
        assertThat(Sha256.isHex(hash.substring(1))).isFalse();
        for (char other : new char[] {'/', ':', '`', 'g', 'A', 'F'}) {
            assertThat(Sha256.isHex(other + hash.substring(1))).as("%s", other).isFalse();
        }
    }

    @Test
    void a_stored_value_of_the_wrong_type_is_not_read() {
        enum Colour implements Word {
            RED
        }

        Stored stored = new Stored(Document.of(Map.of("truth", true, "text", "x", "at", "noon")));

        assertThat(stored.truth("truth")).isTrue();
        assertThat(stored.has("text")).isTrue();
        assertThat(stored.has("none")).isFalse();
        assertThat(stored.textOrNull("none")).isNull();
        assertThatIllegalStateException()
                .isThrownBy(() -> stored.text("truth"))
                .withMessage("truth is missing from a stored document.");
        assertThatIllegalStateException().isThrownBy(() -> stored.instant("at")).withMessage("at is not an instant.");
        assertThatIllegalStateException()
                .isThrownBy(() -> stored.word("text", Colour.class))
                .withMessage("text is not one of the known words: x");
    }

    @Test
    void a_document_that_could_not_be_read_has_at_least_one_problem() {
        Problem problem = new Problem("name", "name is missing.");

        assertThat(Reading.of(7).isRead()).isTrue();
        assertThat(Reading.wrong(List.of(problem)).isRead()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> Reading.wrong(List.of()));
        assertThatIllegalStateException()
                .isThrownBy(() -> Reading.wrong(List.of(problem)).orElseThrow())
                .withMessageStartingWith("Not readable: ");
    }
}
