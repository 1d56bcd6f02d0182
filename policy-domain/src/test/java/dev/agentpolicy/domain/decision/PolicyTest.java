package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PolicyTest {
    private static final Instant NOON = SampleValues.NOON;
    private static final Ips IPS = Ips.ofCrypto("0.10", "0.20", "0.35")
            .tradfi("0.55", "0.65", "0.80")
            .cashFloor("0.05")
            .maxDrawdown("0.25")
            .maxSlippage("0.01");
    private static final Policy POLICY = Policy.of(IPS);
    private static final Snapshot TOTALS = Snapshot.ofCrypto(Usd.of(30_000))
            .tradfi(Usd.of(55_000))
            .cash(Usd.of(15_000))
            .peak(Usd.of(100_000))
            .asOf(NOON);
    private static final Portfolio PORTFOLIO = Portfolio.first(
            Document.parse("""
                            { "name": "Paper", "kind": "paper", "cash": 15000, "positions": [
                              { "symbol": "BTC", "assetType": "crypto", "quantity": 1, "price": 30000 },
                              { "symbol": "GROVE", "assetType": "tradfi", "quantity": 100, "price": 550 } ] }""")
                    .then(document -> HoldingsDocument.read("paper", document, NOON))
                    .orElseThrow(),
            NOON);

    @Test
    void a_statement_made_in_code_equals_the_one_read_from_json() {
        assertThat(IPS).isEqualTo(SampleValues.plainIps()).hasSameHashCodeAs(SampleValues.plainIps());
        assertThat(IPS.withTier(2)).isNotEqualTo(IPS);
        assertThat(IPS.withTier(2).toString()).contains("0.35").isNotEqualTo(IPS.toString());
    }

    @Test
    void a_snapshot_has_each_amount_where_it_was_given() {
        assertThat(PORTFOLIO.snapshot()).contains(TOTALS);
        assertThat(TOTALS).isEqualTo(SampleValues.portfolio("30000/55000/15000"));
        assertThat(TOTALS).isNotEqualTo(SampleValues.portfolio("15000/55000/30000"));
        assertThat(TOTALS.toString())
                .isEqualTo("Snapshot[crypto=30000, tradfi=55000, cash=15000, peak=100000, date=2026-11-21T12:00:00Z]");
    }

    @Test
    void the_short_call_decides_as_the_full_call_does() {
        Trade trade = Trade.buy("BTC", Usd.of(6_400));
        ResolvedAsset held =
                new ResolvedAsset(new AssetSymbol("BTC"), "BTC", AssetType.CRYPTO, ResolvedAsset.Source.HELD);
        EvaluationContext full = new EvaluationContext(
                trade,
                held,
                new IpsVersion(1, IPS, Instant.EPOCH),
                TOTALS,
                Usd.of(30_000),
                KeyPolicy.NO_CAPS,
                CapUsage.NOTHING,
                NOON);

        assertThat(POLICY.decide(trade, PORTFOLIO)).isEqualTo(Evaluator.decide(full));
        assertThat(EvaluationContext.of(trade, held, NOON)
                        .with(new IpsVersion(1, IPS, Instant.EPOCH))
                        .with(TOTALS, Usd.of(30_000))
                        .with(KeyPolicy.NO_CAPS, CapUsage.NOTHING))
                .isEqualTo(full);
        assertThat(POLICY.decide(trade, PORTFOLIO).ipsVersion()).isEqualTo(1);
        assertThat(POLICY.decide(trade, PORTFOLIO).checkedAt()).isEqualTo(NOON);
    }

    @Test
    void a_sale_of_more_than_is_held_is_noticed_with_positions_but_not_with_totals() {
        Trade trade = Trade.sell("SPY", Usd.of(10));

        assertThat(SampleValues.violations(POLICY.decide(trade, PORTFOLIO))).startsWith("action_not_allowed 0 10");
        assertThat(POLICY.decide(trade, TOTALS).violations())
                .noneMatch(violation -> violation.rule().wireName().equals("action_not_allowed"));
    }

    @Test
    void the_portfolio_decides_the_sleeve_of_an_asset_that_the_directory_does_not_know() {
        Trade wrong = new Trade(Action.BUY, new AssetSymbol("GROVE"), AssetType.CRYPTO, Usd.of(10), null);

        assertThat(SampleValues.violations(POLICY.decide(wrong, PORTFOLIO))).isEqualTo("invalid_payload");
        assertThat(SampleValues.violations(POLICY.decide(wrong, TOTALS))).isEqualTo("-");
        assertThat(SampleValues.violations(
                        Policy.of(IPS.withUnknownAssets(UnknownAssets.BLOCK)).decide(wrong, TOTALS)))
                .isEqualTo("asset_authority_monitor");
    }

    @Test
    void a_trade_made_by_symbol_needs_an_asset_of_the_directory() {
        assertThat(Trade.buy("btc", Usd.of(1)))
                .isEqualTo(new Trade(Action.BUY, new AssetSymbol("BTC"), AssetType.CRYPTO, Usd.of(1), null));
        assertThat(Trade.sell("SPY", Usd.of(1)).assetType()).isEqualTo(AssetType.TRADFI);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Trade.buy("GROVE", Usd.of(1)))
                .withMessage("The built-in directory has no asset GROVE.");
    }

    @Test
    void the_caps_of_a_key_are_checked_one_by_one() {
        KeyPolicy caps = KeyPolicy.NO_CAPS
                .withDailyCallCap(10)
                .withDailyUsdCap(Usd.of(1_000))
                .withAumCap(Usd.of(2_000));
        Trade trade = Trade.buy("BTC", Usd.of(100));

        assertThat(caps).isEqualTo(new KeyPolicy(10, Usd.of(1_000), Usd.of(2_000), null, null));
        assertThat(violations(caps, CapUsage.NOTHING.withCalls(10), trade)).isEqualTo("agent_aum_cap 10 11");
        assertThat(violations(caps, CapUsage.NOTHING.withUsd(Usd.of(950)), trade))
                .isEqualTo("agent_aum_cap 1000 1050");
        assertThat(violations(caps, CapUsage.NOTHING.withAum(Usd.of(1_950)), trade))
                .isEqualTo("agent_aum_cap 2000 2050");
        assertThat(violations(caps, CapUsage.NOTHING, trade)).isEqualTo("-");
    }

    @Test
    void totals_without_a_time_are_refused() {
        Snapshot timeless = Snapshot.ofCrypto(Usd.of(1))
                .tradfi(Usd.of(1))
                .cash(Usd.of(1))
                .peak(Usd.of(3))
                .asOf(null);

        assertThatNullPointerException().isThrownBy(() -> POLICY.decide(Trade.buy("BTC", Usd.ZERO), timeless));
    }

    private static String violations(KeyPolicy caps, CapUsage used, Trade trade) {
        return SampleValues.violations(POLICY.with(caps, used).decide(trade, PORTFOLIO));
    }
}
