package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import org.jspecify.annotations.Nullable;

/** Reads the id of the standing rule that a violation is about, which the log has in the message only. */
public final class StandingRuleIds {
    private static final String BEFORE = "Standing rule ";
    private static final String BLOCKS = " blocks this trade";
    private static final String REQUIRES = " requires the user's approval";

    private StandingRuleIds() {}

    /** The id of the standing rule; null for a violation of any other rule. */
    public static @Nullable String of(Violation violation) {
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
