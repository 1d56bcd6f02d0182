package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The IPS and the portfolio of every sandbox account (docs/reference/sandbox.md). */
public final class FixedPolicy {
    /** The time of the sandbox's IPS, portfolio and first row. */
    static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

    /** The user of the demonstration chain. */
    static final UserId NOBODY = new UserId(UUID.fromString("00000000-0000-4000-8000-000000000000"));

    /** The IPS, version 1. */
    public static final IpsVersion IPS = new IpsVersion(1, ips(), SINCE);

    /** 100 000 USD after a peak of 110 000. */
    public static final Portfolio PORTFOLIO = new Portfolio(1, List.of(holdings()), Usd.of(110_000), SINCE);

    private FixedPolicy() {}

    private static Ips ips() {
        return Ips.ofCrypto("0.10", "0.20", "0.35")
                .tradfi("0.55", "0.65", "0.80")
                .cashFloor("0.05")
                .maxDrawdown("0.25")
                .maxSlippage("0.01")
                .withAssetAuthority(new AssetAuthority(
                        Level.FULL,
                        Map.of(new AssetSymbol("BTC"), Level.PROTECT, new AssetSymbol("DOGE"), Level.MONITOR)))
                .withStandingRules(List.of(noMemecoins()))
                .withTier(2);
    }

    private static StandingRule noMemecoins() {
        return new StandingRule(
                "no-memecoins",
                StandingRule.Effect.BLOCK,
                "Not in this household",
                new StandingRule.When(
                        Set.of(Action.BUY),
                        Set.of(AssetType.CRYPTO),
                        Set.of(new AssetSymbol("DOGE"), new AssetSymbol("SHIB")),
                        Usd.of(1_000),
                        new StandingRule.Hours(22, 6, ZoneId.of("America/New_York")),
                        Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY)));
    }

    private static CustodianHoldings holdings() {
        return new CustodianHoldings(
                "sandbox",
                "Sandbox",
                CustodianHoldings.CustodianKind.PAPER,
                SINCE,
                1,
                Usd.of(10_000),
                List.of(
                        position("BTC", AssetType.CRYPTO, "0.2", 100_000),
                        position("SPY", AssetType.TRADFI, "130", 500),
                        position("AGG", AssetType.TRADFI, "50", 100)));
    }

    private static Position position(String symbol, AssetType type, String quantity, long price) {
        return new Position(new AssetSymbol(symbol), type, new BigDecimal(quantity), Usd.of(price));
    }
}
