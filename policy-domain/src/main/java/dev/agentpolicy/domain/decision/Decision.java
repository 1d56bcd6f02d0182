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
