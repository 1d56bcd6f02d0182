package dev.agentpolicy.domain.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers and refusals. */
class AnswerTest {
    private static final Problem NAME = new Problem("name", "name is missing.");
    private static final Problem CASH = new Problem("cash", "cash must be a number.");

    @Test
    void an_answer_is_printed_with_its_value_or_refusal() {
        Refusal refusal = Refusal.of(Code.NOT_FOUND, "There is no request with this id.");

        assertThat(Answer.given(7)).hasToString("given 7");
        assertThat(Answer.refused(refusal)).hasToString("refused " + refusal);
    }

    @Test
    void mapping_an_answer_keeps_its_refusal() {
        Refusal refusal = Refusal.unauthorized();

        assertThat(Answer.<Integer>refused(refusal).map(given -> given + 1)).hasToString("refused " + refusal);
        assertThat(Answer.given(7).map(given -> given + 1)).hasToString("given 8");
    }

    @Test
    void a_refusal_describes_one_wrong_field_and_counts_several() {
        Refusal one = Refusal.invalid(List.of(NAME));
        Refusal two = Refusal.invalid(List.of(NAME, CASH));

        assertThat(one.code()).isEqualTo(Code.INVALID);
        assertThat(one.message()).isEqualTo("name is missing.");
        assertThat(two.message()).isEqualTo("2 fields are wrong; see violations.");
        assertThat(two.problems()).containsExactly(NAME, CASH);
    }

    @Test
    void beyond_eight_wrong_fields_the_message_gives_no_exact_count() {
        assertThat(Refusal.invalid(Collections.nCopies(7, NAME)).message())
                .isEqualTo("7 fields are wrong; see violations.");
        assertThat(Refusal.invalid(Collections.nCopies(8, NAME)).message())
                .isEqualTo("At least 8 fields are wrong; see violations.");
    }

    @Test
    void an_unavailable_store_asks_for_a_retry_and_a_bug_is_no_refusal() {
        Refusal told =
                Refusal.ofFailure(new Unavailable("The database is away.")).orElseThrow();

        assertThat(told).isEqualTo(Refusal.unavailable());
        assertThat(told.code()).isEqualTo(Code.UNAVAILABLE);
        assertThat(told.message()).isEqualTo("The service cannot answer at the moment; try again.");
        assertThat(told.retryAfterSeconds()).isOne();
        assertThat(Refusal.ofFailure(new IllegalStateException("a bug"))).isEmpty();
    }
}
