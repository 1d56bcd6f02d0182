package dev.agentpolicy.bench;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The evaluator with the whole rule set: exact arithmetic, every violation, 64 trades in turn. */
@State(Scope.Thread)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EvaluatorBench {
    private static final int TRADES = 64;

    /** What the trades are like: within policy, or against several rules of it. */
    @Param({"buy 10%02d SPY tradfi 0.25%%", "sell 15%03d BTC crypto 1.5%%"})
    public String trade = "";

    private final EvaluationContext[] circumstances = new EvaluationContext[TRADES];
    private int next;

    /** Prepares the trades. */
    @org.openjdk.jmh.annotations.Setup
    public void setup() {
        Ips ips = IpsDocument.read(JsonSamples.object(SampleValues.WHOLE_IPS)).orElseThrow();
        Snapshot snapshot = SampleValues.portfolio("20000/70000/10000");
        KeyPolicy policy = SampleValues.policy("{\"aumCapUsd\":50000,\"dailyUsdCap\":20000}");
        IntStream.range(0, TRADES)
                .forEach(i -> circumstances[i] = new EvaluationContext(
                        SampleValues.trade(String.format(trade, i)),
                        null,
                        SampleValues.version(ips),
                        snapshot,
                        Usd.of(20_000),
                        policy,
                        CapUsage.NOTHING,
                        SampleValues.NOON));
    }

    /** One decision. */
    @Benchmark
    public Decision decide() {
        next = (next + 1) % TRADES;
        return Evaluator.decide(circumstances[next]);
    }

    /** One decision, and the sentence of every rule it breaks. */
    @Benchmark
    public Decision decideAndSay(Blackhole reader) {
        Decision decision = decide();
        decision.violations().forEach(violation -> reader.consume(violation.message()));
        return decision;
    }
}
