package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.quantity.Usd;
import org.jspecify.annotations.Nullable;

/**
 * A decision as it is answered. The suggestion is advice to the caller; it is not recorded with the decision.
 *
 * @param decision allowed or blocked, with reasons
 * @param maxAllowed the largest amount with which the trade would have been allowed, exact to the cent; null when the
 *     trade is allowed, and when no amount would be
 */
public record AdvisedDecision(Decision decision, @Nullable Usd maxAllowed) {

    /** A decision with its suggestion. An allowed decision takes no time. */
    public static AdvisedDecision of(Decision decision, EvaluationContext context) {
        return new AdvisedDecision(
                decision, decision.isAllowed() ? null : Headroom.of(context).maxAllowed());
    }

    /** A decision about a trade that could not be read. */
    public static AdvisedDecision ofUnreadable(Decision decision) {
        return new AdvisedDecision(decision, null);
    }
}
