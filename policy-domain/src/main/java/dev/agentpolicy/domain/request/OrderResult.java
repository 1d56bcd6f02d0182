package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import java.util.function.Function;

/** The result of an order: filled, or not filled for a reason. */
public sealed interface OrderResult {

    <R> R fold(Function<Filled, R> filled, Function<NotFilled, R> refused);

    /**
     * The order was executed.
     *
     * @param execution the fill
     * @param holdings what the custodian holds after the fill
     */
    record Filled(Execution execution, CustodianHoldings holdings) implements OrderResult {
        @Override
        public <R> R fold(Function<Filled, R> filled, Function<NotFilled, R> refused) {
            return filled.apply(this);
        }
    }

    /**
     * The order was not executed; the holdings did not change.
     *
     * @param reason an English sentence for the user
     */
    record NotFilled(String reason) implements OrderResult {
        @Override
        public <R> R fold(Function<Filled, R> filled, Function<NotFilled, R> refused) {
            return refused.apply(this);
        }
    }
}
