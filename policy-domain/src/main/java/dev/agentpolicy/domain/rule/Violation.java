package dev.agentpolicy.domain.rule;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One firing of a rule (specification, Violation).
 *
 * @param rule which rule
 * @param message one plain English sentence with the numbers in it
 * @param limit the bound that was hit: a fraction for allocation, drawdown and slippage, else USD or calls
 * @param actual the value that would result, in the unit of the limit
 */
public record Violation(
        Rule rule,
        String message,
        @Nullable BigDecimal limit,
        @Nullable BigDecimal actual) {

    public static Violation of(Rule rule, String message) {
        return new Violation(rule, message, null, null);
    }
}
