package dev.agentpolicy.domain.rule;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A broken rule (specification, Violation). Violations are equal if their rules, numbers, rule ids and messages are.
 *
 * <p>The message is composed on demand, so callers that only need rules and numbers do not pay for it.
 */
public final class Violation {
    private final Rule rule;
    private final Sentence sentence;
    private final @Nullable BigDecimal limit;
    private final @Nullable BigDecimal actual;
    private final @Nullable String ruleId;
    private final boolean isTimed;
    private final @Nullable Instant retryAt;

    public Violation(Rule rule, Sentence sentence, @Nullable BigDecimal limit, @Nullable BigDecimal actual) {
        this(rule, sentence, limit, actual, null, false, null);
    }

    private Violation(
            Rule rule,
            Sentence sentence,
            @Nullable BigDecimal limit,
            @Nullable BigDecimal actual,
            @Nullable String ruleId,
            boolean isTimed,
            @Nullable Instant retryAt) {
        this.rule = rule;
        this.sentence = sentence;
        this.limit = limit;
        this.actual = actual;
        this.ruleId = ruleId;
        this.isTimed = isTimed;
        this.retryAt = retryAt;
    }

    /** A violation with a fixed message. */
    public Violation(Rule rule, String message, @Nullable BigDecimal limit, @Nullable BigDecimal actual) {
        this(rule, it -> message, limit, actual);
    }

    public static Violation of(Rule rule, Sentence sentence) {
        return new Violation(rule, sentence, null, null);
    }

    public static Violation of(Rule rule, String message) {
        return new Violation(rule, message, null, null);
    }

    /** The same violation, of the standing rule or limit with this id; of none when it is null. */
    public Violation withRuleId(@Nullable String id) {
        return new Violation(rule, sentence, limit, actual, id, isTimed, retryAt);
    }

    /** The same violation, of a limit over time that the trade passes from an instant on; null if it never does. */
    public Violation withRetryAt(@Nullable Instant at) {
        return new Violation(rule, sentence, limit, actual, ruleId, true, at);
    }

    /** The broken rule. */
    public Rule rule() {
        return rule;
    }

    /** One sentence with the numbers in it, composed by each call. */
    public String message() {
        return sentence.about(this);
    }

    /** The bound that was hit: a fraction for allocation, drawdown and slippage, else USD or calls; null for none. */
    public @Nullable BigDecimal limit() {
        return limit;
    }

    /** The value that would result, in the unit of the limit; null for none. */
    public @Nullable BigDecimal actual() {
        return actual;
    }

    /** The id of the standing rule or limit that stops the trade; null for any other rule. */
    public @Nullable String ruleId() {
        return ruleId;
    }

    /** Whether the violation is of a limit over time, so that the same trade may pass later. Not recorded. */
    public boolean isTimed() {
        return isTimed;
    }

    /** The first instant at which the trade would pass the limit if nothing else is proposed. Not recorded. */
    public @Nullable Instant retryAt() {
        return retryAt;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Violation that
                && rule == that.rule
                && Objects.equals(limit, that.limit)
                && Objects.equals(actual, that.actual)
                && Objects.equals(ruleId, that.ruleId)
                && message().equals(that.message());
    }

    @Override
    public int hashCode() {
        return Objects.hash(rule, limit, actual);
    }

    @Override
    public String toString() {
        return rule.wireName() + ": " + message();
    }

    /** Composes the message of a violation. */
    @FunctionalInterface
    public interface Sentence {
        /** The message, always the same for the same violation. */
        String about(Violation it);
    }
}
