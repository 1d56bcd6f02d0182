package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import java.util.function.Function;

/** What came of an order. */
public sealed interface Settlement {

    <R> R fold(Function<Filled, R> filled, Function<Refused, R> refused);

    /**
     * Done.
     *
     * @param execution what was done
     * @param holdings what the custodian holds after it
     */
    record Filled(Execution execution, CustodianHoldings holdings) implements Settlement {
        @Override
        public <R> R fold(Function<Filled, R> filled, Function<Refused, R> refused) {
            return filled.apply(this);
        }
    }

    /**
     * Not done, and nothing moved.
     *
     * @param reason one plain English sentence
     */
    record Refused(String reason) implements Settlement {
        @Override
        public <R> R fold(Function<Filled, R> filled, Function<Refused, R> refused) {
            return refused.apply(this);
        }
    }
}
