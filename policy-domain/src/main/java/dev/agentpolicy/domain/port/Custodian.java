package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.SyncQuery;
import java.util.concurrent.CompletionStage;

/**
 * Holds users' assets and takes orders. docs/custodians.md says how to write one.
 *
 * <p>No method blocks; callbacks of the results must not block either. A result fails only for a bug.
 */
public interface Custodian {

    /**
     * Places an order unless the custodian has it. The same order can be placed any number of times, also after a crash:
     * it exists at most once.
     *
     * @return how it stands; refused when it is not there and never will be; away when it is not known whether it is
     */
    CompletionStage<CustodianReply<OrderReport>> place(Order order);

    /**
     * Asks for an order to be cancelled. An order that is over stays as it is.
     *
     * @return how it stands afterwards, and it may still be open or become filled; refused when the custodian does not
     *     know the order
     */
    CompletionStage<CustodianReply<OrderReport>> cancel(Order order);

    /**
     * Reads an account: cash, positions, orders and fills.
     *
     * @return refused when the account cannot be used here
     */
    CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query);
}
