package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.rule.Violation;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A verdict with all its reasons (specification, ValidateResponse).
 *
 * @param violations the rules it breaks, in the order of {@link dev.agentpolicy.domain.rule.Rule}
 * @param ipsVersion version of the statement, null when there was none
 * @param snapshot the portfolio before the trade, null when there was none
 * @param stale the custodian that was not heard of for so long that there was no snapshot; otherwise null
 * @param checkedAt the time of the decision, in microseconds
 */
public record Decision(
        List<Violation> violations,
        @Nullable Integer ipsVersion,
        @Nullable Snapshot snapshot,
        @Nullable StaleCustodian stale,
        Instant checkedAt) {

    public Decision {
        violations = List.copyOf(violations);
        checkedAt = Instants.truncated(checkedAt);
    }

    /** A decision for which no custodian was too old. */
    public Decision(
            List<Violation> violations, @Nullable Integer ipsVersion, @Nullable Snapshot snapshot, Instant checkedAt) {
        this(violations, ipsVersion, snapshot, null, checkedAt);
    }

    public boolean isAllowed() {
        return violations.isEmpty();
    }

    /**
     * The same verdict without the figures of holdings: no snapshot, and violations that depend on one say no more than
     * their rule.
     */
    public Decision withoutHoldings() {
        List<Violation> told = violations.stream()
                .map(violation -> dependsOnHoldings(violation)
                        ? Violation.of(
                                        violation.rule(),
                                        "Stopped by " + violation.rule().wireName() + ".")
                                .withRuleId(violation.ruleId())
                        : violation)
                .toList();
        return new Decision(told, ipsVersion, null, checkedAt);
    }

    private boolean dependsOnHoldings(Violation violation) {
        return switch (violation.rule()) {
            case CRYPTO_MAX_ALLOCATION,
                    CRYPTO_MIN_ALLOCATION,
                    TRADFI_MAX_ALLOCATION,
                    TRADFI_MIN_ALLOCATION,
                    CASH_FLOOR,
                    INSUFFICIENT_CASH,
                    DRAWDOWN_EXCEEDED -> true;
            // A custodian that is too old is holdings, too; that there are none is not.
            case NO_PORTFOLIO_SNAPSHOT -> stale != null;
            // Of more than is held; a pause has no limit.
            case ACTION_NOT_ALLOWED -> violation.limit() != null;
            // Limits of positions and losses; standing rules have no numbers, and flows count proposals.
            case STANDING_RULE_BLOCKED, STANDING_RULE_REQUIRES_APPROVAL ->
                violation.limit() != null && !violation.isTimed();
            default -> false;
        };
    }

    /** {@code Within policy}, or the number of violations and their rules. */
    public String reason() {
        return reason(violations);
    }

    /** The summary of a list of violations. */
    public static String reason(List<Violation> violations) {
        if (violations.isEmpty()) {
            return "Within policy";
        }
        String rules = violations.stream()
                .map(violation -> violation.rule().wireName())
                .collect(Collectors.joining(", "));
        return violations.size() + (violations.size() == 1 ? " violation: " : " violations: ") + rules;
    }
}
