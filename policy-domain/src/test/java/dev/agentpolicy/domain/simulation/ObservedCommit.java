package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.time.Instant;
import java.util.List;

/**
 * What one commit did.
 *
 * @param asking who asked for it
 * @param user whose account
 * @param now the moment of the account
 * @param outcome what was to be recorded
 * @param rows what the chain grew by
 * @param answer what the change answers
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
