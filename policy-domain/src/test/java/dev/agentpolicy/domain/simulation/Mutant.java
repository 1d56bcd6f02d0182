package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.request.Order;
import java.util.List;

/** A way in which the service could be wrong; here in none. */
interface Mutant {
    Mutant NONE = new Mutant() {};

    default <R> Change<R> in(Change<R> change) {
        return change;
    }

    default Order in(Order order) {
        return order;
    }

    default List<PolicyEvent> in(List<PolicyEvent> rows) {
        return rows;
    }

    /** Whether callers are answered though the commit failed. */
    default boolean answersBeforeCommit() {
        return false;
    }
}
