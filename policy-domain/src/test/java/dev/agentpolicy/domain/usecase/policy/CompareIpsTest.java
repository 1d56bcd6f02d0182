package dev.agentpolicy.domain.usecase.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.compare.PolicyRelation;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.policy.CompareIps.BasedComparison;
import dev.agentpolicy.domain.usecase.policy.CompareIps.ComparedIps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompareIpsTest {
    private static final ComparedIps FIRST = new ComparedIps(1, null);

    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final List<Answer<BasedComparison>> second = new ArrayList<>();

    /** The clock is read in the middle of a comparison, and that is when the other call comes. */
    private final CompareIps compare = new CompareIps(fixture.store, () -> {
        callAgain();
        return fixture.clock.instant();
    });

    private void callAgain() {
        if (second.isEmpty()) {
            second.add(compare.compare(UseCaseFixture.USER, null, FIRST));
        }
    }

    @Test
    void a_user_has_one_comparison_at_a_time() {
        Answer<BasedComparison> first = compare.compare(UseCaseFixture.USER, null, FIRST);

        assertThat(second).hasSize(1);
        String refused =
                second.get(0).fold(given -> "given", refusal -> refusal.code().name());
        assertThat(refused).isEqualTo(Refusal.Code.RATE_LIMITED.name());
        assertThat(relation(first)).isEqualTo(PolicyRelation.EQUIVALENT.name());
        assertThat(relation(compare.compare(UseCaseFixture.USER, null, FIRST)))
                .isEqualTo(PolicyRelation.EQUIVALENT.name());
    }

    private static String relation(Answer<BasedComparison> answer) {
        return answer.fold(
                given -> given.comparison().relation().name(),
                refusal -> refusal.code().name());
    }
}
