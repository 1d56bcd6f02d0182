package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.util.concurrent.CompletionStage;

/** Holds a user's assets and executes orders, each client order id at most once. */
public interface Custodian {

    /**
     * Executes an order, or answers what was done when it was asked before.
     *
     * @return completes exceptionally when it is not known whether the order was executed; ask again
     */
    CompletionStage<OrderResult> place(Order order);

    /** Replaces everything held; answers it with the revision of the books it became. Waits on no thread of its caller. */
    CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings);
}
