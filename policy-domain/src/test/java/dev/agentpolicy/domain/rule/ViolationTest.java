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
    void a_sentence_is_put_together_when_it_is_asked_for() {
        AtomicInteger asked = new AtomicInteger();
        Violation late = new Violation(
                Rule.CASH_FLOOR, it -> "Asked " + asked.incrementAndGet() + ": " + it.actual(), LIMIT, ACTUAL);

        assertThat(late.rule()).isEqualTo(Rule.CASH_FLOOR);
        assertThat(asked).hasValue(0);
        assertThat(late.message()).isEqualTo("Asked 1: 0.4");
    }

    @Test
    void two_are_equal_when_they_say_the_same() {
        Violation same = new Violation(Rule.CASH_FLOOR, it -> "Too " + "little cash.", LIMIT, ACTUAL);

        assertThat(same).isEqualTo(violation).hasSameHashCodeAs(violation).hasToString(violation.toString());
    }

    @Test
    void two_are_not_equal_when_anything_differs() {
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
    void it_is_written_as_its_rule_and_its_sentence() {
        assertThat(violation).hasToString("cash_floor: Too little cash.");
    }
}
