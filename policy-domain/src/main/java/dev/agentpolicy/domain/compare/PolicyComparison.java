package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.compare.LinearSystem.TooMuchWork;
import dev.agentpolicy.domain.compare.LinearSystem.Work;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one policy statement stands to another one (docs/reference/compare.md): exactly, over all trades, portfolios, counts
 * and the instants of the next 400 days. Immutable; comparing has no side effects and reads no clock.
 *
 * <p>It takes milliseconds, and at most a fixed number of steps; beyond them, the relation is unknown.
 */
public final class PolicyComparison {
    private static final long MAX_STEPS = 20_000_000;

    private final Ips from;
    private final Ips to;
    private final @Nullable Portfolio known;
    private final Instant now;
    private final PolicyRelation relation;
    private final List<TradeWitness> witnesses;

    private PolicyComparison(Ips from, Ips to, @Nullable Portfolio known, Instant now) {
        this.from = from;
        this.to = to;
        this.known = known;
        this.now = now;
        List<TradeWitness> found = new ArrayList<>();
        this.relation = relation(found);
        this.witnesses = List.copyOf(found);
    }

    /** Compares a statement with the one that is to replace it, from an instant on. Symbols must be canonical. */
    public static PolicyComparison of(Ips from, Ips to, Instant now) {
        return new PolicyComparison(from, to, null, now);
    }

    /**
     * Compares two statements of an account.
     *
     * @param known the holdings, by which the account knows the sleeve of assets; null for none
     */
    public static PolicyComparison of(Ips from, Ips to, @Nullable Portfolio known, Instant now) {
        return new PolicyComparison(from, to, known, now);
    }

    private PolicyRelation relation(List<TradeWitness> found) {
        try {
            TradeSpace space = new TradeSpace(from, to, known, now, new Work(MAX_STEPS));
            ComparisonSearch looser = new ComparisonSearch(space, from, to);
            ComparisonSearch tighter = new ComparisonSearch(space, to, from);
            TradeWitness allowed = looser.find(from, to);
            TradeWitness blocked = tighter.find(from, to);
            if (allowed != null) {
                found.add(allowed);
            }
            if (blocked != null) {
                found.add(blocked);
            }
            boolean isShown = (allowed != null || !looser.exists()) && (blocked != null || !tighter.exists());
            return isShown ? PolicyRelation.of(allowed != null, blocked != null) : PolicyRelation.UNKNOWN;
        } catch (TooMuchWork tooMuch) {
            return PolicyRelation.UNKNOWN;
        }
    }

    /** How the second statement stands to the first one. */
    public PolicyRelation relation() {
        return relation;
    }

    /** A trade that is newly allowed and one that is newly blocked, if there are any, each confirmed by the evaluator. */
    public List<TradeWitness> witnesses() {
        return witnesses;
    }
}
