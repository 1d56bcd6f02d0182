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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How one policy statement stands to another one (docs/reference/compare.md): exactly, over all trades, portfolios, counts
 * and the instants of the next 400 days. Comparing has no side effects and reads no clock but one that it is given.
 *
 * <p>The relation, the changes and the findings together take at most a fixed number of steps, and with a clock a second.
 * What is not decided by then is unknown, and findings are left out. Unknown is also what may depend on the use of
 * approvals that count.
 */
public final class PolicyComparison {
    private static final long MAX_STEPS = 20_000_000;
    private static final long MAX_MILLIS = 1000;

    private final Ips from;
    private final Ips to;
    /** Null when making it takes too much. */
    private final @Nullable TradeSpace space;

    private final PolicyRelation relation;
    private final List<TradeWitness> witnesses;
    private final AtomicReference<List<PolicyChange>> changes = new AtomicReference<>();
    private final AtomicReference<List<PolicyFinding>> findings = new AtomicReference<>();

    private PolicyComparison(Ips from, Ips to, @Nullable Portfolio known, Instant now, Work work) {
        this.from = from;
        this.to = to;
        this.space = space(from, to, known, now, work);
        List<TradeWitness> found = new ArrayList<>();
        this.relation = relation(found);
        this.witnesses = List.copyOf(found);
    }

    private static @Nullable TradeSpace space(Ips from, Ips to, @Nullable Portfolio known, Instant now, Work work) {
        try {
            return new TradeSpace(from, to, known, now, work);
        } catch (TooMuchWork tooMuch) {
            return null;
        }
    }

    /** Compares a statement with the one that is to replace it, from an instant on. Symbols must be canonical. */
    public static PolicyComparison of(Ips from, Ips to, Instant now) {
        return of(from, to, null, now);
    }

    /**
     * Compares two statements of an account.
     *
     * @param known the holdings, by which the account knows the sleeve of assets; null for none
     */
    public static PolicyComparison of(Ips from, Ips to, @Nullable Portfolio known, Instant now) {
        return new PolicyComparison(from, to, known, now, new Work(MAX_STEPS, () -> false));
    }

    /** As above, and decides only what can be decided in a second of a clock from now on. */
    public static PolicyComparison inTime(
            Ips from, Ips to, @Nullable Portfolio known, Instant now, InstantSource clock) {
        long end = clock.millis() + MAX_MILLIS;
        return new PolicyComparison(from, to, known, now, new Work(MAX_STEPS, () -> clock.millis() > end));
    }

    private PolicyRelation relation(List<TradeWitness> found) {
        if (space == null) {
            return PolicyRelation.UNKNOWN;
        }
        try {
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

    /** What differs, in the order of the document, and what each change does alone. Computed by the first call. */
    public synchronized List<PolicyChange> changes() {
        List<PolicyChange> known = changes.get();
        if (known == null) {
            known = StatementChanges.of(from, to, this::alone);
            changes.set(known);
        }
        return known;
    }

    private PolicyRelation alone(Ips changed) {
        if (space == null) {
            return PolicyRelation.UNKNOWN;
        }
        try {
            return ofAnyUse(changed, PolicyRelation.of(exists(space, from, changed), exists(space, changed, from)));
        } catch (TooMuchWork tooMuch) {
            return PolicyRelation.UNKNOWN;
        } finally {
            space.forget(changed);
        }
    }

    /**
     * What the author of the second statement may not have meant: limits that no trade meets, standing rules that change
     * nothing, and actions that are allowed but never pass. Computed by the first call; what would take too much work is
     * left out, and where approvals count, so are rules and limits.
     */
    public synchronized List<PolicyFinding> findings() {
        List<PolicyFinding> known = findings.get();
        if (known == null) {
            known = space == null ? List.of() : findings(space);
            findings.set(known);
        }
        return known;
    }

    private List<PolicyFinding> findings(TradeSpace space) {
        List<PolicyFinding> findings = new ArrayList<>();
        try {
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
                if (!isLoosening(space, to.withStandingRules(others))) {
                    findings.add(new PolicyFinding(Kind.REDUNDANT, rule.id()));
                }
            }
            for (Limit limit : counts(to) ? List.<Limit>of() : to.limits()) {
                List<Limit> others = new ArrayList<>(to.limits());
                others.remove(limit);
                if (!isLoosening(space, to.withLimits(others))) {
                    findings.add(new PolicyFinding(Kind.SHADOWED, limit.id()));
                }
            }
        } catch (TooMuchWork tooMuch) {
            return List.copyOf(findings);
        }
        return List.copyOf(findings);
    }

    /** Whether the second statement without one of its items allows some trade that it blocks. */
    private boolean isLoosening(TradeSpace space, Ips without) {
        boolean isLooser = exists(space, to, without);
        space.forget(without);
        return isLooser;
    }

    /** Whether some trade is blocked by one statement and allowed by another. */
    private static boolean exists(TradeSpace space, Ips blocking, Ips allowing) {
        return new ComparisonSearch(space, blocking, allowing).exists();
    }
}
