package dev.agentpolicy.bench;

import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

/** Resolving the asset of one trade, with the statement of the reference and so many positions. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AssetResolverBench {

    /** Held, of the directory, an alias, a pair in dollars and in euros, an asset that nobody knows. */
    @Param({"BTC", "AAPL", "XBT", "DOGE-USD", "DOGE/EUR", "GROVE"})
    public String symbol = "";

    /** Positions at the one custodian. */
    @Param({"3", "500"})
    public int positions;

    private Portfolio portfolio = Portfolio.first(holdings(List.of()), SampleValues.NOON);
    private IpsVersion ips = SampleValues.version(SampleValues.plainIps());
    private AssetSymbol spelling = new AssetSymbol("BTC");

    /** Prepares the account. */
    @Setup
    public void setup() {
        List<Position> others = IntStream.range(1, positions)
                .mapToObj(i -> position("A" + i, AssetType.TRADFI))
                .toList();
        portfolio = Portfolio.first(
                holdings(Stream.concat(others.stream(), Stream.of(position("BTC", AssetType.CRYPTO)))
                        .toList()),
                SampleValues.NOON);
        ips = SampleValues.version(
                IpsDocument.read(JsonSamples.object(SampleValues.WHOLE_IPS)).orElseThrow());
        spelling = new AssetSymbol(symbol);
    }

    /** What the asset is taken for, as every decision asks. */
    @Benchmark
    public ResolvedAsset resolve() {
        return KnownAssets.resolver(portfolio, ips, List.of()).resolve(spelling, AssetType.CRYPTO, symbol);
    }

    private static Position position(String symbol, AssetType type) {
        return new Position(new AssetSymbol(symbol), type, BigDecimal.ONE, Usd.of(100));
    }

    private static CustodianHoldings holdings(List<Position> positions) {
        return new CustodianHoldings(
                "paper", "Paper", CustodianHoldings.CustodianKind.PAPER, SampleValues.NOON, 1, Usd.of(1), positions);
    }
}
