package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.util.concurrent.CompletionStage;

/** Holds users' assets and executes orders, each client order id at most once. */
public interface Custodian {

    /**
     * Executes an order. For a client order id that was executed before, returns the result of that time.
     *
     * @return fails when it is not known whether the order was executed; the same order can be sent again
     */
    CompletionStage<OrderResult> place(Order order);

    /** Replaces a user's holdings and returns them with their new revision. Does not block. */
    CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings);
}
