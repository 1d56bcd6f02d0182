package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.util.List;

/** A fault seeded into the service; by default none. */
interface Mutant {
    Mutant NONE = new Mutant() {};

    default <R> Change<R> in(Change<R> change) {
        return change;
    }

    default Order in(Order order) {
        return order;
    }

    default CustodianReport in(CustodianReport report) {
        return report;
    }

    /** Whether an order is not sent. */
    default boolean loses(Order order) {
        return false;
    }

    default List<PolicyEvent> in(List<PolicyEvent> rows) {
        return rows;
    }

    /** Whether callers get an answer although the commit failed. */
    default boolean answersBeforeCommit() {
        return false;
    }
}
