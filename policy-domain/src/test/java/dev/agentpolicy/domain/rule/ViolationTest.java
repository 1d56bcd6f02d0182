package dev.agentpolicy.domain.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Violations and their messages. */
class ViolationTest {
    private static final BigDecimal LIMIT = new BigDecimal("0.35");
    private static final BigDecimal ACTUAL = new BigDecimal("0.4");

    private final Violation violation = new Violation(Rule.CASH_FLOOR, "Too little cash.", LIMIT, ACTUAL);

    @Test
    void the_message_is_formatted_when_it_is_read() {
        AtomicInteger asked = new AtomicInteger();
        Violation late = new Violation(
                Rule.CASH_FLOOR, it -> "Asked " + asked.incrementAndGet() + ": " + it.actual(), LIMIT, ACTUAL);

        assertThat(late.rule()).isEqualTo(Rule.CASH_FLOOR);
        assertThat(asked).hasValue(0);
        assertThat(late.message()).isEqualTo("Asked 1: 0.4");
    }

    @Test
    void violations_with_the_same_content_are_equal() {
        Violation same = new Violation(Rule.CASH_FLOOR, it -> "Too " + "little cash.", LIMIT, ACTUAL);

        assertThat(same).isEqualTo(violation).hasSameHashCodeAs(violation).hasToString(violation.toString());
    }

    @Test
    void violations_that_differ_anywhere_are_not_equal() {
        assertThat(violation)
                .isNotEqualTo(new Violation(Rule.INSUFFICIENT_CASH, "Too little cash.", LIMIT, ACTUAL))
                .isNotEqualTo(new Violation(Rule.CASH_FLOOR, "Too little money.", LIMIT, ACTUAL))
                .isNotEqualTo(new Violation(Rule.CASH_FLOOR, "Too little cash.", null, ACTUAL))
                .isNotEqualTo(new Violation(Rule.CASH_FLOOR, "Too little cash.", LIMIT, null))
                .isNotEqualTo("Too little cash.");
        assertThat(violation.hashCode())
                .isNotEqualTo(Violation.of(Rule.CASH_FLOOR, "Too little cash.").hashCode());
    }

    @Test
    void a_violation_is_printed_as_its_rule_and_its_message() {
        assertThat(violation).hasToString("cash_floor: Too little cash.");
    }
}
