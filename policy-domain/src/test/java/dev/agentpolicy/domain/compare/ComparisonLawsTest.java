package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.quantity.Usd;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Laws over random pairs of statements. */
class ComparisonLawsTest {
    private static final int PAIRS = Integer.getInteger("pairs", 100);
    private static final int SITUATIONS = Integer.getInteger("situations", 100);

    @Test
    void noSituationContradictsTheRelation() {
        Map<PolicyRelation, Integer> seen = new EnumMap<>(PolicyRelation.class);
        long seed = Long.getLong("seed", System.nanoTime());
        long time = 0;
        long worst = 0;
        for (long at = seed; at < seed + PAIRS; at++) {
            RandomPolicies random = new RandomPolicies(at);
            Ips from = random.draw();
            Ips to = random.changed(from);
            long start = cpu();
            PolicyComparison comparison = PolicyComparison.of(from, to, RandomPolicies.NOW);
            long took = cpu() - start;
            if (took > 100_000_000)
                System.out.println("slow " + at + " " + took / 1000000 + " " + comparison.relation());
            time += took;
            worst = Math.max(worst, took);
            PolicyRelation relation = comparison.relation();
            seen.merge(relation, 1, Integer::sum);
            boolean isLooser = relation == PolicyRelation.LOOSER || relation == PolicyRelation.MIXED;
            boolean isTighter = relation == PolicyRelation.TIGHTER || relation == PolicyRelation.MIXED;
            for (int i = 0; i < SITUATIONS; i++) {
                Situation situation = random.situation(from, to);
                Usd before = most(situation, from);
                Usd after = most(situation, to);
                if (relation != PolicyRelation.UNKNOWN
                        && (after.isAbove(before) && !isLooser || before.isAbove(after) && !isTighter)) {
                    fail(
                            "seed %d: %s, but %s allows %s and then %s%n%s%n%s",
                            at,
                            relation,
                            situation,
                            before,
                            after,
                            IpsDocument.toSigned(from),
                            IpsDocument.toSigned(to));
                }
            }
            if (relation == PolicyRelation.UNKNOWN) {
                System.out.println("unknown " + at);
            }
        }
        System.out.println(seen + " mean us " + time / PAIRS / 1000 + " worst us " + worst / 1000);
        assertThat(seen.keySet()).doesNotContain(PolicyRelation.UNKNOWN);
    }

    private static long cpu() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static Usd most(Situation situation, Ips ips) {
        Usd most = Headroom.of(situation.context(ips)).maxAllowed();
        return most == null ? Usd.ZERO : most;
    }
}
