package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.quantity.Usd;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Searches random situations for one that contradicts the relation of a random pair of statements. The headroom of a
 * situation decides all its amounts at once.
 */
public final class ComparisonLaw implements LongFunction<@Nullable String> {
    private final int situations;

    /** @param situations for each pair */
    public ComparisonLaw(int situations) {
        this.situations = situations;
    }

    /** What contradicts the comparison of the pair of a seed; null for nothing. */
    @Override
    public @Nullable String apply(long seed) {
        RandomPolicies random = new RandomPolicies(seed);
        Ips from = random.draw();
        Ips to = random.changed(from);
        PolicyRelation relation =
                PolicyComparison.of(from, to, RandomPolicies.NOW).relation();
        boolean isLooser = relation == PolicyRelation.LOOSER || relation == PolicyRelation.MIXED;
        boolean isTighter = relation == PolicyRelation.TIGHTER || relation == PolicyRelation.MIXED;
        String pair =
                "seed " + seed + ": " + relation + "\n" + IpsDocument.toSigned(from) + "\n" + IpsDocument.toSigned(to);
        if (relation == PolicyRelation.UNKNOWN) {
            return pair;
        }
        for (int i = 0; i < situations; i++) {
            Situation situation = random.situation(from, to);
            Usd before = most(situation, from);
            Usd after = most(situation, to);
            if (after.isAbove(before) && !isLooser || before.isAbove(after) && !isTighter) {
                return pair + "\n" + situation + " allows " + before + " and then " + after;
            }
        }
        return null;
    }

    private static Usd most(Situation situation, Ips ips) {
        Usd most = Headroom.of(situation.context(ips)).maxAllowed();
        return most == null ? Usd.ZERO : most;
    }
}
