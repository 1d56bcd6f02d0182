package dev.agentpolicy.bench.rival;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The evaluator and other engines on the same ten trades, once each has given the same verdicts. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RivalsBench {

    /** The engines side by side. */
    public enum Rival {
        EVALUATOR(OwnEngine::new),
        DROOLS(DroolsEngine::new),
        CEL(CelEngine::new),
        CEDAR(CedarEngine::new),
        JCASBIN(CasbinEngine::new);

        private final Callable<Engine<?>> start;

        Rival(Callable<Engine<?>> start) {
            this.start = start;
        }
    }

    /** Who decides. */
    @Param
    public Rival engine = Rival.EVALUATOR;

    private Engine<?> started = new OwnEngine();
    private int next;

    /** Starts the engine, and refuses one that decides otherwise than the evaluator. */
    @Setup
    public void setup() throws Exception {
        started = engine.start.call();
        OwnEngine own = new OwnEngine();
        Set<String> seen = new HashSet<>();
        for (int trade = 0; trade < Trades.ALL.size(); trade++) {
            Set<String> expected = broken(own, trade);
            Set<String> told = broken(started, trade);
            boolean agrees = started.tellsAll()
                    ? told.equals(expected)
                    : told.isEmpty() == expected.isEmpty() && expected.containsAll(told);
            if (!agrees) {
                throw new IllegalStateException(engine + " on trade " + trade + ": " + told + ", not " + expected);
            }
            seen.addAll(expected);
        }
        Set<String> rules =
                Set.copyOf(Condition.ALL.stream().map(Condition::rule).toList());
        if (!seen.equals(rules)) {
            throw new IllegalStateException("The trades break " + seen + ", not " + rules);
        }
    }

    /** One decision. */
    @Benchmark
    public Object decide() {
        next = (next + 1) % Trades.ALL.size();
        return started.decide(next);
    }

    private static <A> Set<String> broken(Engine<A> engine, int trade) {
        return engine.broken(engine.decide(trade));
    }
}
