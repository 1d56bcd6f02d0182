package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import java.util.List;

/**
 * The state of an account at a custodian, all read at one point in time.
 *
 * @param holdings cash and positions without open orders; its open orders are those that are not ours
 * @param orders how our orders stand; those that the custodian does not know are missing
 * @param fills since the time or revision asked for, the oldest first; may contain fills that were reported before
 * @param isComplete whether there are no later fills; otherwise the report has to be asked for again
 */
public record CustodianReport(
        CustodianHoldings holdings, List<OrderReport> orders, List<Fill> fills, boolean isComplete) {
    public CustodianReport {
        orders = List.copyOf(orders);
        fills = List.copyOf(fills);
    }
}
