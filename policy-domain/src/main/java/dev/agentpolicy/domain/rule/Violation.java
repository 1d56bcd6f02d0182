package dev.agentpolicy.domain.rule;

import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One firing of a rule (specification, Violation). Two are equal when they say the same.
 *
 * <p>Its sentence is put together when it is asked for: who only looks at rules and numbers does not pay for words.
 */
public final class Violation {
    private final Rule rule;
    private final Sentence sentence;
    private final @Nullable BigDecimal limit;
    private final @Nullable BigDecimal actual;

    public Violation(Rule rule, Sentence sentence, @Nullable BigDecimal limit, @Nullable BigDecimal actual) {
        this.rule = rule;
        this.sentence = sentence;
        this.limit = limit;
        this.actual = actual;
    }

    /** A violation whose sentence is there already. */
    public Violation(Rule rule, String message, @Nullable BigDecimal limit, @Nullable BigDecimal actual) {
        this(rule, it -> message, limit, actual);
    }

    public static Violation of(Rule rule, Sentence sentence) {
        return new Violation(rule, sentence, null, null);
    }

    public static Violation of(Rule rule, String message) {
        return new Violation(rule, message, null, null);
    }

    /** Which rule. */
    public Rule rule() {
        return rule;
    }

    /** One plain English sentence with the numbers in it, put together anew by each call. */
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

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Violation that
                && rule == that.rule
                && Objects.equals(limit, that.limit)
                && Objects.equals(actual, that.actual)
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

    /** How to say a violation in words. */
    @FunctionalInterface
    public interface Sentence {
        /** The sentence about that violation: the same whenever it is asked for. */
        String about(Violation it);
    }
}
