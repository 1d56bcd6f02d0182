package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.compare.LinearSystem.TooMuchWork;
import dev.agentpolicy.domain.compare.LinearSystem.Work;
import dev.agentpolicy.domain.compare.PolicyFinding.Kind;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.trade.Action;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one policy statement stands to another one (docs/reference/compare.md): exactly, over all trades, portfolios, counts
 * and the instants of the next 400 days. Immutable; comparing has no side effects and reads no clock.
 *
 * <p>It takes milliseconds, and at most a fixed number of steps; beyond them, the relation is unknown. So it is where it may
 * depend on what is used of approvals that count.
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
            TradeSpace space = space();
            ComparisonSearch looser = new ComparisonSearch(space, from, to);
            ComparisonSearch tighter = new ComparisonSearch(space, to, from);
            boolean isLooser = looser.exists();
            boolean isTighter = tighter.exists();
            boolean isLooserShown = !isLooser || isShown(looser, found);
            boolean isTighterShown = !isTighter || isShown(tighter, found);
            return isLooserShown && isTighterShown
                    ? ofAnyUse(to, PolicyRelation.of(isLooser, isTighter))
                    : PolicyRelation.UNKNOWN;
        } catch (TooMuchWork tooMuch) {
            return PolicyRelation.UNKNOWN;
        }
    }

    /** Approvals are searched as if nothing of them were used. Where the use may matter, what was not found may yet be. */
    private PolicyRelation ofAnyUse(Ips next, PolicyRelation found) {
        boolean isSame = from.approvals().equals(next.approvals())
                && from.standingRules().equals(next.standingRules())
                && from.limits().equals(next.limits());
        return isSame || !counts(from) && !counts(next) || found == PolicyRelation.MIXED
                ? found
                : PolicyRelation.UNKNOWN;
    }

    private static boolean counts(Ips ips) {
        return ips.approvals().stream().anyMatch(Approval::isCounted);
    }

    private boolean isShown(ComparisonSearch search, List<TradeWitness> found) {
        TradeWitness witness = search.find(from, to);
        return witness != null && found.add(witness);
    }

    /** How the second statement stands to the first one. */
    public PolicyRelation relation() {
        return relation;
    }

    /** A trade that is newly allowed and one that is newly blocked, if there are any, each confirmed by the evaluator. */
    public List<TradeWitness> witnesses() {
        return witnesses;
    }

    /** What differs, in the order of the document, and what each change does alone. Computed by each call. */
    public List<PolicyChange> changes() {
        TradeSpace space = space();
        return StatementChanges.of(from, to, changed -> {
            try {
                return ofAnyUse(changed, PolicyRelation.of(exists(space, from, changed), exists(space, changed, from)));
            } catch (TooMuchWork tooMuch) {
                return PolicyRelation.UNKNOWN;
            }
        });
    }

    /**
     * What the author of the second statement may not have meant: limits that no trade meets, standing rules that change
     * nothing, and actions that are allowed but never pass. Computed by each call; what would take too much work is left
     * out, and where approvals count, so are rules and limits.
     */
    public List<PolicyFinding> findings() {
        List<PolicyFinding> findings = new ArrayList<>();
        try {
            TradeSpace space = space();
            for (Action action : Action.values()) {
                Ips alone = to.withAllowedActions(Set.of(action));
                boolean isMeant = to.allowedActions().contains(action) && !to.isPaused();
                if (isMeant && !exists(space, alone.withPaused(true), alone)) {
                    findings.add(new PolicyFinding(Kind.VACUOUS, action.wireName()));
                }
            }
            for (StandingRule rule : counts(to) ? List.<StandingRule>of() : to.standingRules()) {
                List<StandingRule> others = new ArrayList<>(to.standingRules());
                others.remove(rule);
                if (!exists(space, to, to.withStandingRules(others))) {
                    findings.add(new PolicyFinding(Kind.REDUNDANT, rule.id()));
                }
            }
            for (Limit limit : counts(to) ? List.<Limit>of() : to.limits()) {
                List<Limit> others = new ArrayList<>(to.limits());
                others.remove(limit);
                if (!exists(space, to, to.withLimits(others))) {
                    findings.add(new PolicyFinding(Kind.SHADOWED, limit.id()));
                }
            }
        } catch (TooMuchWork tooMuch) {
            return List.copyOf(findings);
        }
        return List.copyOf(findings);
    }

    private TradeSpace space() {
        return new TradeSpace(from, to, known, now, new Work(MAX_STEPS));
    }

    /** Whether some trade is blocked by one statement and allowed by another. */
    private static boolean exists(TradeSpace space, Ips blocking, Ips allowing) {
        return new ComparisonSearch(space, blocking, allowing).exists();
    }
}
