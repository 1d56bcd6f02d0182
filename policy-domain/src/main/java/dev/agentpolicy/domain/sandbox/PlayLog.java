package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.AuditQuery;
import dev.agentpolicy.domain.event.CanonicalForm;
import dev.agentpolicy.domain.event.ChainHead;
import dev.agentpolicy.domain.event.DecisionPayload;
import dev.agentpolicy.domain.event.DecisionRecord;
import dev.agentpolicy.domain.event.EventPage;
import dev.agentpolicy.domain.event.EventQuery;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.port.EventLog;
import java.util.List;

/** Reads the demonstration chain, and the recent decisions of a test key. */
final class PlayLog implements EventLog {
    private final Sandbox sandbox;
    private final DemoChain chain;

    PlayLog(Sandbox sandbox, DemoChain chain) {
        this.sandbox = sandbox;
        this.chain = chain;
    }

    @Override
    public EventPage page(UserId user, EventQuery query) {
        return chain.page(query);
    }

    @Override
    public ChainHead head(UserId user) {
        return chain.head();
    }

    @Override
    public List<PolicyEvent> decisions(UserId user, AuditQuery query) {
        return sandbox.account(user).decisions().stream()
                .filter(event -> matches(event, query))
                .limit(query.limit())
                .toList();
    }

    private static boolean matches(PolicyEvent event, AuditQuery query) {
        String payload = event.payload();
        if (payload == null || query.since() != null && !event.createdAt().isAfter(query.since())) {
            return false;
        }
        DecisionRecord decision = DecisionPayload.read(CanonicalForm.read(payload));
        return (query.allowed() == null || query.allowed() == decision.isAllowed())
                && (query.agentKeyId() == null || query.agentKeyId().equals(decision.agentKeyId()));
    }
}
