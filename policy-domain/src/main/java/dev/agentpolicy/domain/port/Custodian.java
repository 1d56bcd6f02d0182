package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.quantity.Fraction;

/**
 * Holds users' assets and takes orders. docs/custodians.md says how to write one.
 *
 * <p>Methods block, for as long as the custodian may take to answer.
 */
public interface Custodian {

    /**
     * What the asset of an order costs now. Nothing is ordered.
     *
     * @param wanted an order for an amount
     * @param slippage the most that the price of the order may be worse than the one that is asked for
     * @throws CustodianFailure a refusal when there is no price, the asset cannot be ordered, or a buy costs more than the
     *     cash that no open buy holds
     */
    ReferencePrice price(Order wanted, Fraction slippage);

    /**
     * Places an order unless the custodian has it. The same order can be placed any number of times, also after a crash:
     * it exists at most once, trades at most its quantity, and never at a price beyond its bound.
     *
     * @param order with a bound, or with a price that was agreed elsewhere
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
