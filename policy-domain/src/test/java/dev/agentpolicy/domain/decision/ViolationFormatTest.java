package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The format of the numbers in messages. */
class ViolationFormatTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0                     | 0 USD
            999                   | 999 USD
            1000                  | 1,000 USD
            123456                | 123,456 USD
            1234567.5             | 1,234,567.5 USD
            -999                  | -999 USD
            -1000                 | -1,000 USD
            -123456               | -123,456 USD
            0.12345678            | 0.12345678 USD
            0.123456785           | 0.12345678 USD
            1000.000000015        | 1,000.00000002 USD
            """)
    void an_amount_has_groups_of_three_digits_and_eight_decimals_at_most(String amount, String words) {
        assertThat(Evaluator.ViolationFormat.usd(Usd.of(amount).value())).isEqualTo(words);
    }

    @Test
    void a_share_that_rounds_to_its_limit_is_shown_as_just_off_it() {
        assertThat(Evaluator.ViolationFormat.actual(exceeded("0.35", "0.35"), "above"))
                .isEqualTo("just above 35%");
        assertThat(Evaluator.ViolationFormat.actual(exceeded("0.364", "0.35"), "above"))
                .isEqualTo("36.4%");
        assertThat(Evaluator.ViolationFormat.limit(exceeded("0.364", "0.3500"))).isEqualTo("35%");
    }

    private static Violation exceeded(String actual, String limit) {
        return new Violation(Rule.CRYPTO_MAX_ALLOCATION, "", new BigDecimal(limit), new BigDecimal(actual));
    }
}
