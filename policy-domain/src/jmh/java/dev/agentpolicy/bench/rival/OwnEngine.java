package dev.agentpolicy.bench.rival;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import java.util.Set;
import java.util.stream.Collectors;

/** The evaluator as the service calls it: the whole rule set, with limits, actual values and sentences. */
final class OwnEngine implements Engine<Decision> {
    private final EvaluationContext[] trades = Trades.ALL.toArray(EvaluationContext[]::new);

    @Override
    public Decision decide(int trade) {
        return Evaluator.decide(trades[trade]);
    }

    @Override
    public Set<String> broken(Decision answer) {
        return answer.violations().stream().map(it -> it.rule().wireName()).collect(Collectors.toSet());
    }
}
