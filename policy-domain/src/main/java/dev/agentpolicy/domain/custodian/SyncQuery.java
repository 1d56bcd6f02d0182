package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.time.Instant;
import java.util.List;

/**
 * The question for the state of an account at a custodian.
 *
 * @param user the owner
 * @param custodian id of the custodian
 * @param name for people
 * @param kind the kind of custodian
 * @param revision of the holdings that are known; 0 when there are none
 * @param fillsSince fills from this time on are wanted; a custodian that counts revisions goes by these instead
 * @param open our orders that are not over and may have been sent
 */
public record SyncQuery(
        UserId user,
        String custodian,
        String name,
        CustodianKind kind,
        long revision,
        Instant fillsSince,
        List<Order> open) {
    public SyncQuery {
        open = List.copyOf(open);
    }
}
