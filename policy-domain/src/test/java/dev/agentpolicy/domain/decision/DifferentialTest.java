package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two independent evaluators agree, on 20 million cases with {@code -Plong}. */
@Tag("slow")
class DifferentialTest {
    private static final int CASES = 200_000;
    private static final int SEARCHED = ExperimentSettings.times(CASES / 12, CASES * 100);
    private static final EnumSet<Rule> IN_USD_OR_CALLS =
            EnumSet.of(Rule.ACTION_NOT_ALLOWED, Rule.INSUFFICIENT_CASH, Rule.AGENT_AUM_CAP);

    @Test
    void the_evaluator_agrees_with_an_independent_reference() {
        Seeded.search(SEARCHED, random -> {
            RandomCase it = RandomCases.draw(random);
            List<String> fired = Evaluator.decide(it.circumstances()).violations().stream()
                    .map(DifferentialTest::inWholeNumbers)
                    .toList();
            List<String> expected = ReferencePolicy.decide(it);
            String symbol = it.asset().symbol().value();
            if (!fired.equals(expected) || !symbol.equals(ReferenceAsset.of(it).symbol())) {
                assertThat(fired).isEqualTo(expected);
                assertThat(symbol).isEqualTo(ReferenceAsset.of(it).symbol());
            }
        });
    }

    @Test
    void the_cases_cover_every_rule_every_equality_and_every_condition() {
        Map<Rule, Integer> fired = new EnumMap<>(Rule.class);
        Map<Source, Integer> sources = new EnumMap<>(Source.class);
        Map<Edge, Integer> met = new EnumMap<>(Edge.class);
        Map<DecisiveCondition, Integer> turned = new EnumMap<>(DecisiveCondition.class);
        for (int seed = 0; seed < CASES; seed++) {
            RandomCase it = RandomCases.draw(new Random(seed * 0x9E3779B97F4A7C15L));
            Evaluator.decide(it.circumstances()).violations().stream()
                    .map(Violation::rule)
                    .distinct()
                    .forEach(rule -> fired.merge(rule, 1, Integer::sum));
            sources.merge(it.asset().source(), 1, Integer::sum);
            for (Edge edge : Edge.values()) {
                met.merge(edge, edge.isMetBy(it) ? 1 : 0, Integer::sum);
            }
            for (DecisiveCondition turning : DecisiveCondition.values()) {
                turned.merge(turning, turning.isMetBy(it) ? 1 : 0, Integer::sum);
            }
        }

        assertThat(sources.keySet()).isEqualTo(EnumSet.allOf(Source.class));
        assertThat(sources).allSatisfy((source, cases) -> assertThat(cases).isGreaterThan(CASES / 200));
        assertThat(fired.keySet()).isEqualTo(EnumSet.allOf(Rule.class));
        assertThat(fired).allSatisfy((rule, cases) -> assertThat(cases).isBetween(CASES / 200, CASES * 9 / 10));
        assertThat(met).allSatisfy((edge, cases) -> assertThat(cases).isGreaterThan(CASES / 2_000));
        assertThat(turned).allSatisfy((turning, cases) -> assertThat(cases).isGreaterThan(CASES / 2_000));
    }

    private static String inWholeNumbers(Violation violation) {
        if (violation.message().contains("would be proposed within")) {
            boolean isUsd = violation.message().contains(" USD would be");
            int places = isUsd ? 8 : 0;
            return violation.rule().wireName()
                    + (isUsd ? " usd" : " trades")
                    + whole(violation.limit(), places)
                    + whole(violation.actual(), places);
        }
        boolean isCalls = violation.message().startsWith("This is call");
        int places = isCalls ? 0 : IN_USD_OR_CALLS.contains(violation.rule()) ? 8 : 6;
        return violation.rule().wireName() + whole(violation.limit(), places) + whole(violation.actual(), places);
    }

    private static String whole(BigDecimal number, int places) {
        return number == null ? "" : " " + number.movePointRight(places).toBigIntegerExact();
    }
}
