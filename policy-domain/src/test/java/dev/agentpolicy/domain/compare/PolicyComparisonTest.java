package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.ips.Limit.LimitKind;
import dev.agentpolicy.domain.ips.Limit.Per;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PolicyComparisonTest {
    private static final Instant NOW = Instant.parse("2026-11-27T20:15:00Z");

    private static final Ips BASE = ips("0.35", "0.05", "0.25", "0.01");

    private static Ips ips(String cryptoMax, String floor, String drawdown, String slippage) {
        return Ips.ofCrypto("0.10", "0.20", cryptoMax)
                .tradfi("0.40", "0.50", "0.80")
                .cashFloor(floor)
                .maxDrawdown(drawdown)
                .maxSlippage(slippage);
    }

    private static PolicyRelation relation(Ips from, Ips to) {
        PolicyComparison comparison = PolicyComparison.of(from, to, NOW);
        comparison
                .witnesses()
                .forEach(witness -> assertThat(witness.situation().decide(to).isAllowed())
                        .isNotEqualTo(witness.situation().decide(from).isAllowed()));
        return comparison.relation();
    }

    @Test
    void aStatementIsEquivalentToItself() {
        assertThat(relation(BASE, BASE)).isEqualTo(PolicyRelation.EQUIVALENT);
        assertThat(relation(BASE, BASE.withTier(3))).isEqualTo(PolicyRelation.EQUIVALENT);
    }

    @Test
    void aHigherMaximumIsLooserAndALowerOneTighter() {
        Ips higher = ips("0.40", "0.05", "0.25", "0.01");
        assertThat(relation(BASE, higher)).isEqualTo(PolicyRelation.LOOSER);
        assertThat(relation(higher, BASE)).isEqualTo(PolicyRelation.TIGHTER);
        assertThat(relation(higher, ips("0.35", "0.01", "0.25", "0.01"))).isEqualTo(PolicyRelation.MIXED);
    }

    @Test
    void aHigherMaximumDrawdownNewlyBlocksASellThatCrossesIt() {
        PolicyComparison comparison = PolicyComparison.of(BASE, ips("0.35", "0.05", "0.30", "0.01"), NOW);
        assertThat(comparison.relation()).isEqualTo(PolicyRelation.MIXED);
        assertThat(comparison.witnesses())
                .extracting(witness -> witness.situation().trade().action().wireName())
                .containsExactly("buy", "sell");
    }

    @Test
    void aPausedStatementIsTighter() {
        assertThat(relation(BASE, BASE.withPaused(true))).isEqualTo(PolicyRelation.TIGHTER);
        assertThat(relation(BASE.withPaused(true), BASE)).isEqualTo(PolicyRelation.LOOSER);
        assertThat(relation(BASE.withPaused(true), BASE.withAllowedActions(Set.of())))
                .isEqualTo(PolicyRelation.EQUIVALENT);
    }

    @Test
    void changesSayWhatEachDoesAlone() {
        Ips to = ips("0.40", "0.10", "0.25", "0.01").withTier(4);
        assertThat(PolicyComparison.of(BASE, to, NOW).changes())
                .extracting(change -> change.path() + " " + change.relation() + " " + change.from() + " " + change.to())
                .containsExactly("crypto.max LOOSER 0.35 0.4", "cashFloor TIGHTER 0.05 0.1", "tier EQUIVALENT null 4");
    }

    @Test
    void whatMayDependOnTheUseOfAnApprovalIsUnknown() {
        StandingRule ask = new StandingRule("ask", Effect.REQUIRE_APPROVAL, null, when(Set.of(Action.BUY)));
        Ips asks = BASE.withStandingRules(List.of(ask));
        Ips once = asks.withApprovals(List.of(approval(1)));
        Ips twice = asks.withApprovals(List.of(approval(2)));

        assertThat(relation(once, twice)).isEqualTo(PolicyRelation.UNKNOWN);
        assertThat(relation(once, asks)).isEqualTo(PolicyRelation.UNKNOWN);
        assertThat(relation(once, once.withPaused(true))).isEqualTo(PolicyRelation.TIGHTER);
    }

    private static Approval approval(int maxUses) {
        return new Approval("ask", null, null, null, null, NOW.plusSeconds(3600), maxUses, null);
    }

    @Test
    void findingsNameWhatNeverBindsAndWhatNeverPasses() {
        StandingRule all = new StandingRule("all", Effect.BLOCK, null, when(Set.of(Action.SELL)));
        StandingRule again = new StandingRule("again", Effect.BLOCK, null, when(Set.of(Action.SELL)));
        Ips ips = BASE.withStandingRules(List.of(all, again)).withLimits(List.of(position("wide", "0.9", false)));
        assertThat(PolicyComparison.of(ips, ips, NOW).findings())
                .extracting(finding -> finding.kind() + " " + finding.about())
                .containsExactly("VACUOUS sell", "REDUNDANT all", "REDUNDANT again", "SHADOWED wide");
        assertThat(PolicyComparison.of(BASE, BASE, NOW).findings()).isEmpty();
    }

    private static When when(Set<Action> actions) {
        return new When(actions, null, null, null, null, null);
    }

    private static Limit position(String id, String max, boolean perAsset) {
        When crypto = new When(null, Set.of(AssetType.CRYPTO), null, null, null, null);
        return new Limit(
                id, LimitKind.POSITION, Effect.BLOCK, null, crypto, Fraction.of(max), perAsset, null, null, null, null);
    }

    /** 50 standing rules with hours in five time zones, and 20 limits of groups of assets. */
    private static Ips large(int shift) {
        List<String> zones = List.of("UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin", "Australia/Lord_Howe");
        List<AssetSymbol> symbols = AssetDirectory.builtIn().entries().stream()
                .map(AssetDirectory.Entry::symbol)
                .toList();
        List<StandingRule> rules = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Hours hours = new Hours(i % 24, (i + 3) % 24, ZoneId.of(zones.get(i % 5)));
            Set<AssetSymbol> some = Set.copyOf(symbols.subList(i, i + 3));
            When when = new When(
                    null,
                    null,
                    i % 2 == 0 ? some : null,
                    Usd.of(100 + i * 10 + shift),
                    i % 3 == 0 ? hours : null,
                    null);
            rules.add(new StandingRule("r" + i, i % 2 == 0 ? Effect.BLOCK : Effect.REQUIRE_APPROVAL, null, when));
        }
        List<Limit> limits = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            When scope = new When(null, null, Set.copyOf(symbols.subList(i, i + 10)), null, null, null);
            boolean isFlow = i % 3 == 2;
            limits.add(new Limit(
                    "l" + i,
                    i % 3 == 0 ? LimitKind.POSITION : isFlow ? LimitKind.FLOW : LimitKind.LOSS,
                    Effect.BLOCK,
                    null,
                    scope,
                    isFlow ? null : Fraction.of("0." + (11 + i + shift)),
                    false,
                    isFlow ? new FlowForm(scope, 60, Per.ACCOUNT) : null,
                    isFlow ? Usd.of(1000 + i + shift) : null,
                    null,
                    i % 3 == 1 ? 1 + i : null));
        }
        return BASE.withStandingRules(rules).withLimits(limits);
    }

    /** The time is that of a cold and busy machine; a warm one takes 15 ms. */
    @Test
    void statementsWithFiftyStandingRulesAndTwentyLimitsAreComparedInTime() {
        PolicyComparison.of(large(0), large(1), NOW);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        assertThat(relation(large(0), large(1))).isEqualTo(PolicyRelation.LOOSER);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start)).isLessThan(Duration.ofMillis(500));
    }

    /** The clock moves on whenever it is read, so the time is over in the middle of the search. */
    @Test
    void whatIsNotDecidedWithinASecondIsUnknownAndFindingsAreLeftOut() {
        AtomicLong millis = new AtomicLong();
        InstantSource clock = () -> Instant.ofEpochMilli(millis.addAndGet(100));

        PolicyComparison comparison = PolicyComparison.inTime(large(0), large(1), null, NOW, clock);

        assertThat(comparison.relation()).isEqualTo(PolicyRelation.UNKNOWN);
        assertThat(comparison.changes())
                .hasSizeGreaterThan(50)
                .allSatisfy(change -> assertThat(change.relation()).isEqualTo(PolicyRelation.UNKNOWN));
        assertThat(comparison.findings()).isEmpty();
    }

    /** 50 standing rules, each with hours, in one time zone or in several, and 20 limits of groups of assets. */
    private static Ips timed(List<String> zones) {
        Ips large = large(0);
        List<StandingRule> rules = new ArrayList<>();
        for (StandingRule rule : large.standingRules()) {
            int i = rules.size();
            Hours hours = new Hours(i % 24, (i + 3) % 24, ZoneId.of(zones.get(i % zones.size())));
            When when = new When(null, null, rule.when().symbols(), rule.when().amountUsdAbove(), hours, null);
            rules.add(new StandingRule(rule.id(), rule.effect(), null, when));
        }
        return large.withStandingRules(rules);
    }

    @Test
    void oneBoundOfStepsHoldsForTheRelationTheChangesAndTheFindings() {
        Ips ips = timed(List.of("UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin", "Australia/Lord_Howe"));
        assertThat(cpuTime(ips, ips)).isLessThan(Duration.ofSeconds(8));
    }

    @Test
    void fiveHundredLevelsThatChangeAreComparedWithinTheSameBound() {
        assertThat(cpuTime(levels(0), levels(1))).isLessThan(Duration.ofSeconds(8));
    }

    private static Ips levels(int shift) {
        Map<AssetSymbol, Level> levels = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            levels.put(new AssetSymbol("AS" + i), Level.values()[(i + shift) % Level.values().length]);
        }
        return BASE.withAssetAuthority(new AssetAuthority(Level.values()[0], levels));
    }

    private static Duration cpuTime(Ips from, Ips to) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        PolicyComparison comparison = PolicyComparison.of(from, to, NOW);
        assertThat(comparison.changes()).isSameAs(comparison.changes());
        assertThat(comparison.findings()).isSameAs(comparison.findings());
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    }
}
