package dev.agentpolicy.example;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Asks the policy about two trades, with nothing but the domain jar. */
public final class MayI {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private MayI() {}

    public static List<String> answers() {
        List<String> lines = new ArrayList<>();
        for (String amount : List.of("5000", "6400")) {
            Decision decision = decide(buyBitcoin(amount));
            lines.add(amount + " USD: " + decision.reason());
            decision.violations().stream().map(Violation::message).forEach(lines::add);
        }
        return lines;
    }

    private static Decision decide(Trade trade) {
        ResolvedAsset asset = AssetResolver.ofDirectory()
                .resolve(trade.asset(), trade.assetType(), trade.asset().value());
        return Evaluator.decide(new EvaluationContext(
                trade, asset, statement(), portfolio(), null, KeyPolicy.NO_CAPS, CapUsage.NOTHING, NOW));
    }

    private static Trade buyBitcoin(String amount) {
        return new Trade(Action.BUY, new AssetSymbol("BTC"), AssetType.CRYPTO, Usd.of(amount), Percent.of("0"));
    }

    private static IpsVersion statement() {
        Ips ips = new Ips(
                band("0.10", "0.20", "0.35"),
                band("0.55", "0.65", "0.80"),
                Fraction.of("0.05"),
                Fraction.of("0.25"),
                Fraction.of("0.01"),
                Set.of(Action.BUY, Action.SELL),
                AssetAuthority.FULL,
                List.of(),
                UnknownAssets.AS_SAID,
                null);
        return new IpsVersion(1, ips, NOW);
    }

    private static AllocationBand band(String min, String target, String max) {
        return new AllocationBand(Fraction.of(min), Fraction.of(target), Fraction.of(max));
    }

    private static Snapshot portfolio() {
        return new Snapshot(Usd.of(30_000), Usd.of(55_000), Usd.of(15_000), Usd.of(100_000), NOW);
    }
}
