package dev.agentpolicy.domain.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

    @Test
    void equal_amounts_are_equal_however_they_were_written() {
        assertThat(Usd.of("1.10")).isEqualTo(Usd.of("1.1")).hasSameHashCodeAs(Usd.of("1.1"));
        assertThat(Usd.of("1E3")).isEqualTo(Usd.of(1000)).hasToString("1000");
        assertThat(Usd.of("-0.00")).isEqualTo(Usd.ZERO).hasToString("0");
        assertThat(Fraction.of("0.350")).isEqualTo(Fraction.of("0.35"));
        assertThat(Percent.of("0.50")).isEqualTo(Percent.of("5e-1"));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            0.1234565, 0.123456
            0.1234575, 0.123458
            0.12345650001, 0.123457
            -0.1234565, -0.123456
            1, 1
            """)
    void fractions_are_reported_with_six_places_half_even(String exact, String reported) {
        assertThat(Fraction.of(exact).rounded()).isEqualTo(Fraction.of(reported));
        assertThat(Usd.of(exact).shareOf(Usd.of(1)).rounded()).isEqualTo(Fraction.of(reported));
    }

    @ParameterizedTest
    @CsvSource(textBlock = "0.364, 36.4\n0.35, 35\n0.3, 30\n0, 0\n1, 100\n0.000001, 0.0001\n-0.05, -5")
    void a_fraction_is_read_in_percent(String fraction, String words) {
        assertThat(Fraction.of(fraction).inPercent()).isEqualTo(words);
    }

    @Test
    void a_percent_is_a_hundredth() {
        assertThat(Percent.of("0.5").toFraction()).isEqualTo(Fraction.of("0.005"));
    }

    @Test
    void shares_are_compared_without_division() {
        Share third = Usd.of(1).shareOf(Usd.of(3));

        assertThat(third.isAbove(Fraction.of("0.333333"))).isTrue();
        assertThat(third.isBelow(Fraction.of("0.333334"))).isTrue();
        assertThat(Usd.of(35).shareOf(Usd.of(100)).isAbove(Fraction.of("0.35"))).isFalse();
        assertThat(Usd.of(35).shareOf(Usd.of(100)).isBelow(Fraction.of("0.35"))).isFalse();
        assertThat(Usd.of(5).shareOf(Usd.ZERO).rounded()).isEqualTo(Fraction.ZERO);
        assertThat(Usd.of(5).shareOf(Usd.ZERO).isDefined()).isFalse();
    }

    @Test
    void quantities_are_printed_plainly_and_differ_exactly() {
        assertThat(Percent.of("50E-2")).hasToString("0.5");
        assertThat(Fraction.of("1E-6")).hasToString("0.000001");
        assertThat(Fraction.of("0.35").minus(Fraction.of("0.1"))).isEqualTo(Fraction.of("0.25"));
        assertThat(Usd.of("0.3").minus(Usd.of("0.1"))).isEqualTo(Usd.of("0.2"));
    }
}
