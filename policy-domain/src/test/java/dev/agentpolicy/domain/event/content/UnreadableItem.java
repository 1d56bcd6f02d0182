package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.chain.ScriptedChain;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decision about an item of a batch whose trade could not be read. */
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

    /** The decision about the first item of a batch, with these violations. */
    public static @Nullable String told(Violation... violations) {
        return told(Kind.VALIDATE_BATCH, 0, List.of(violations));
    }

    public static @Nullable String told(Kind kind, @Nullable Integer index, List<Violation> violations) {
        ScriptedChain chain = ScriptedChain.begun();
        Decision decision = new Decision(violations, null, null, chain.now());
        return chain.tell(DecisionPayload.draft(new DecisionRecord(
                kind,
                index,
                ScriptedChain.KEY,
                null,
                null,
                null,
                null,
                CapUsage.NOTHING,
                decision,
                List.of(),
                List.of(),
                List.of(),
                null,
                null)));
    }
}
