package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.Seeded;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two evaluators written apart from each other agree. */
@Tag("slow")
class DifferentialTest {
    private static final int CASES = 200_000;
    private static final EnumSet<Rule> IN_USD_OR_CALLS =
            EnumSet.of(Rule.ACTION_NOT_ALLOWED, Rule.INSUFFICIENT_CASH, Rule.AGENT_AUM_CAP);

    @Test
    void the_evaluator_agrees_with_a_reference_written_from_the_contract_alone() {
        Map<Rule, Integer> seen = new EnumMap<>(Rule.class);
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            Decision decision = Evaluator.decide(it.circumstances());

            List<String> fired = decision.violations().stream()
                    .map(violation -> inWholeNumbers(violation))
                    .toList();
            if (!fired.equals(ReferencePolicy.decide(it))) {
                assertThat(fired).isEqualTo(ReferencePolicy.decide(it));
            }
            decision.violations().forEach(violation -> seen.merge(violation.rule(), 1, Integer::sum));
        });

        EnumSet<Rule> all = EnumSet.complementOf(EnumSet.of(Rule.INVALID_PAYLOAD));
        if (Long.getLong("laws.seed") == null) {
            assertThat(seen.keySet()).containsExactlyElementsOf(all);
            assertThat(seen.values()).allMatch(count -> count > CASES / 200);
        }
    }

    private static String inWholeNumbers(Violation violation) {
        boolean isCalls = violation.message().startsWith("This is call");
        int places = isCalls ? 0 : IN_USD_OR_CALLS.contains(violation.rule()) ? 8 : 6;
        return violation.rule().wireName() + whole(violation.limit(), places) + whole(violation.actual(), places);
    }

    private static String whole(BigDecimal number, int places) {
        return number == null ? "" : " " + number.movePointRight(places).toBigIntegerExact();
    }
}
