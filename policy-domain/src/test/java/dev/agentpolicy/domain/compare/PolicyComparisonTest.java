package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.ips.Ips;
import java.time.Instant;
import java.util.Set;
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
}
