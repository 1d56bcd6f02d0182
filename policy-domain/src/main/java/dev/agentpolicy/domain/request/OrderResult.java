package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import java.util.function.Function;

/** What came of an order. */
public sealed interface OrderResult {

    <R> R fold(Function<Filled, R> filled, Function<NotFilled, R> refused);

    /**
     * Done.
     *
     * @param execution what was done
     * @param holdings what the custodian holds after it
     */
    record Filled(Execution execution, CustodianHoldings holdings) implements OrderResult {
        @Override
        public <R> R fold(Function<Filled, R> filled, Function<NotFilled, R> refused) {
            return filled.apply(this);
        }
    }

    /**
     * Not done, and nothing moved.
     *
     * @param reason one plain English sentence
     */
    record NotFilled(String reason) implements OrderResult {
        @Override
        public <R> R fold(Function<Filled, R> filled, Function<NotFilled, R> refused) {
            return refused.apply(this);
        }
    }
}
