package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.time.Instant;
import java.util.List;

/**
 * A commit, as the invariants see it.
 *
 * @param origin the call that led to it
 * @param user the user of the account
 * @param now the time of the change
 * @param outcome the outcome to record
 * @param rows the new rows of the chain
 * @param answer the answer of the change
 */
record ObservedCommit(
        ChangeOrigin origin, UserId user, Instant now, Outcome<?> outcome, List<PolicyEvent> rows, Object answer) {

    static boolean isDecision(PolicyEvent row, String kind) {
        return row.kind() == EventKind.GUARDRAIL_DECISION && row.payload().contains("\"kind\":\"" + kind);
    }

    static boolean isAllowed(PolicyEvent row) {
        return row.payload().contains("\"allowed\":true");
    }

    static boolean isOf(PolicyEvent row, long requestId) {
        return row.payload().contains("\"serviceRequestId\":" + requestId + ",");
    }
}
