package dev.agentpolicy.bench.rival;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import java.util.List;
import java.util.stream.Stream;

/** Ten trades against one statement: four within it, six that break each of the eight rules at least once. */
final class Trades {
    private static final IpsVersion STATEMENT = SampleValues.version(
            IpsDocument.read(JsonSamples.object(SampleValues.WHOLE_IPS)).orElseThrow());
    private static final String MUCH_CRYPTO = "30000/55000/15000";
    private static final String MUCH_TRADFI = "12000/78000/10000";

    static final List<EvaluationContext> ALL = List.of(
            trade("buy 1000 SPY tradfi 0.25%", MUCH_CRYPTO),
            trade("buy 5000 ETH crypto", MUCH_CRYPTO),
            trade("sell 2000 ETH crypto 0.5% holds 8000", MUCH_CRYPTO),
            trade("buy 6000 ETH crypto 0.2%", MUCH_CRYPTO),
            trade("buy 3000 SPY tradfi 0.1%", MUCH_TRADFI),
            trade("sell 2000 BTC crypto 0.2% holds 20000", MUCH_CRYPTO),
            trade("sell 9000 BTC crypto 1.5% holds 6000", MUCH_TRADFI),
            trade("sell 1000 AGG tradfi 0.1% holds 5000", MUCH_CRYPTO),
            trade("buy 11000 SPY tradfi 0.1%", MUCH_CRYPTO),
            trade("buy 2000 ETH crypto 0.1%", MUCH_TRADFI));

    private Trades() {}

    static Stream<Facts> facts() {
        return ALL.stream().map(Facts::of);
    }

    private static EvaluationContext trade(String text, String portfolio) {
        String trade = text.replaceAll(" holds .*", "");
        return new EvaluationContext(
                SampleValues.trade(trade),
                null,
                STATEMENT,
                SampleValues.portfolio(portfolio),
                SampleValues.held(text),
                KeyPolicy.NO_CAPS,
                CapUsage.NOTHING,
                SampleValues.NOON);
    }
}
