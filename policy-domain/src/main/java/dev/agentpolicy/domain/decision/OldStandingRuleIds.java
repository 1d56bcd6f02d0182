package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import org.jspecify.annotations.Nullable;

/** Reads the id of a standing rule from a message: rows from before {@code ruleId} have it nowhere else. */
final class OldStandingRuleIds {
    private static final String BEFORE = "Standing rule ";
    private static final String BLOCKS = " blocks this trade";
    private static final String REQUIRES = " requires the user's approval";

    private OldStandingRuleIds() {}

    /** The id of the standing rule; null for a violation of any other rule. */
    static @Nullable String of(Violation violation) {
        String after = violation.rule() == Rule.STANDING_RULE_BLOCKED
                ? BLOCKS
                : violation.rule() == Rule.STANDING_RULE_REQUIRES_APPROVAL ? REQUIRES : null;
        if (after == null) {
            return null;
        }
        String message = violation.message();
        int end = message.indexOf(after);
        return message.startsWith(BEFORE) && end > BEFORE.length() ? message.substring(BEFORE.length(), end) : null;
    }
}
