package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.chain.ToldChain;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision without a trade, which only an item of a batch that could not be read may be. */
public final class UnreadableItem {
    public static final Violation NO_CASH = Violation.of(Rule.INSUFFICIENT_CASH, "There is no cash.");

    private UnreadableItem() {}

    public static Violation invalid(@Nullable String limit, @Nullable String actual) {
        return new Violation(
                Rule.INVALID_PAYLOAD,
                "action is missing.",
                limit == null ? null : new BigDecimal(limit),
                actual == null ? null : new BigDecimal(actual));
    }

    /** What is said of the first item of a batch with these violations. */
    public static @Nullable String told(Violation... violations) {
        return told(Kind.VALIDATE_BATCH, 0, List.of(violations));
    }

    public static @Nullable String told(Kind kind, @Nullable Integer index, List<Violation> violations) {
        ToldChain chain = ToldChain.begun();
        Decision decision = new Decision(violations, null, null, chain.now());
        return chain.tell(DecisionPayload.draft(new DecisionRecord(
                kind, index, ToldChain.KEY, null, null, null, null, CapUsage.NOTHING, decision, null, null)));
    }
}
