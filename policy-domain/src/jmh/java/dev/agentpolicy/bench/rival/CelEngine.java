package dev.agentpolicy.bench.rival;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** CEL: one expression, compiled and checked once, that lists whether each rule is broken. */
final class CelEngine implements Engine<List<?>> {
    private final List<Map<String, Object>> trades =
            Trades.facts().map(Facts::byName).toList();
    private final CelRuntime.Program program;

    CelEngine() throws CelValidationException, CelEvaluationException {
        CelCompilerBuilder compiler = CelCompilerFactory.standardCelCompilerBuilder();
        trades.get(0)
                .forEach((name, fact) ->
                        compiler.addVar(name, fact instanceof Long ? SimpleType.INT : SimpleType.STRING));
        String all = Condition.ALL.stream().map(Condition::text).collect(Collectors.joining(", ", "[", "]"));
        program = CelRuntimeFactory.plannerRuntimeBuilder()
                .build()
                .createProgram(compiler.build().compile(all).getAst());
    }

    @Override
    public List<?> decide(int trade) {
        try {
            return (List<?>) program.eval(trades.get(trade));
        } catch (CelEvaluationException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public Set<String> broken(List<?> answer) {
        return IntStream.range(0, answer.size())
                .filter(i -> answer.get(i).equals(true))
                .mapToObj(i -> Condition.ALL.get(i).rule())
                .collect(Collectors.toSet());
    }
}
