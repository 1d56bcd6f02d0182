package dev.agentpolicy.bench;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Headroom;
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

/** The headroom of one asset and action with the whole rule set, for 64 portfolios in turn. */
@State(Scope.Thread)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeadroomBench {
    private static final int PORTFOLIOS = 64;

    /** What binds: the cash floor, a band, or a rule that blocks every amount. */
    @Param({"buy 1 SPY tradfi 0.25%", "sell 1 SPY tradfi 0.25%", "sell 1 BTC crypto 0.25%"})
    public String trade = "";

    private final EvaluationContext[] circumstances = new EvaluationContext[PORTFOLIOS];
    private int next;

    /** Prepares the portfolios. */
    @org.openjdk.jmh.annotations.Setup
    public void setup() {
        Ips ips = IpsDocument.read(JsonSamples.object(SampleValues.WHOLE_IPS)).orElseThrow();
        KeyPolicy policy = SampleValues.policy("{\"aumCapUsd\":50000,\"dailyUsdCap\":20000}");
        IntStream.range(0, PORTFOLIOS).forEach(i -> {
            Snapshot snapshot = SampleValues.portfolio(String.format("20000.%02d/70000/10000.%02d", i, i));
            circumstances[i] = new EvaluationContext(
                    SampleValues.trade(trade),
                    null,
                    SampleValues.version(ips),
                    snapshot,
                    Usd.of(20_000),
                    policy,
                    CapUsage.NOTHING,
                    SampleValues.NOON);
        });
    }

    /** One headroom. */
    @Benchmark
    public Headroom headroom() {
        next = (next + 1) % PORTFOLIOS;
        return Headroom.of(circumstances[next]);
    }
}
