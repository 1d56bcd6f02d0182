package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.quantity.Usd;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Laws over random pairs of statements: {@code -Dcomparisons=N -Dsituations=N -Dseed=N} search more of them. The headroom
 * of a situation decides all its amounts at once.
 */
class ComparisonLawsTest {
    private static final int COMPARISONS = Integer.getInteger("comparisons", 60);
    private static final int SITUATIONS = Integer.getInteger("situations", 40);

    @Test
    void noSituationContradictsTheRelation() {
        long seed = Long.getLong("seed", new Random().nextInt());
        for (long at = seed; at < seed + COMPARISONS; at++) {
            RandomPolicies random = new RandomPolicies(at);
            Ips from = random.draw();
            Ips to = random.changed(from);
            PolicyRelation relation =
                    PolicyComparison.of(from, to, RandomPolicies.NOW).relation();
            boolean isLooser = relation == PolicyRelation.LOOSER || relation == PolicyRelation.MIXED;
            boolean isTighter = relation == PolicyRelation.TIGHTER || relation == PolicyRelation.MIXED;
            String pair = "seed " + at + ": " + relation + "\n" + IpsDocument.toSigned(from) + "\n"
                    + IpsDocument.toSigned(to);
            assertThat(relation).as(pair).isNotEqualTo(PolicyRelation.UNKNOWN);
            for (int i = 0; i < SITUATIONS; i++) {
                Situation situation = random.situation(from, to);
                Usd before = most(situation, from);
                Usd after = most(situation, to);
                assertThat(after.isAbove(before) && !isLooser || before.isAbove(after) && !isTighter)
                        .as("%s%n%s allows %s and then %s", pair, situation, before, after)
                        .isFalse();
            }
        }
    }

    private static Usd most(Situation situation, Ips ips) {
        Usd most = Headroom.of(situation.context(ips)).maxAllowed();
        return most == null ? Usd.ZERO : most;
    }
}
