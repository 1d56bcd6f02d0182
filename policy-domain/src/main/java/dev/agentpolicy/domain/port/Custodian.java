package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.SyncQuery;

/**
 * Holds users' assets and takes orders. docs/custodians.md says how to write one.
 *
 * <p>Methods block, for as long as the custodian may take to answer.
 */
public interface Custodian {

    /**
     * Places an order unless the custodian has it. The same order can be placed any number of times, also after a crash:
     * it exists at most once.
     *
     * @return how it stands
     * @throws CustodianFailure a refusal when the order is not there and never will be; otherwise it is not known whether
     *     it is
     */
    OrderReport place(Order order);

    /**
     * Asks for an order to be cancelled. An order that is over stays as it is.
     *
     * @return how it stands afterwards; it may still be open or become filled
     * @throws CustodianFailure a refusal when the custodian does not know the order
     */
    OrderReport cancel(Order order);

    /**
     * Reads an account: cash, positions, orders and fills.
     *
     * @throws CustodianFailure a refusal when the account cannot be used here
     */
    CustodianReport sync(SyncQuery query);
}
