package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.port.EventLog;
import java.util.List;

/** Reads the demonstration chain, and the recent decisions of a test key. */
final class SandboxEventLog implements EventLog {
    private final Sandbox sandbox;
    private final DemoChain chain;

    SandboxEventLog(Sandbox sandbox, DemoChain chain) {
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
    public List<LoggedDecision> decisions(UserId user, AuditQuery query) {
        return sandbox.account(user).decisions().stream()
                .flatMap(event -> LoggedDecision.of(event).stream())
                .filter(logged -> matches(logged, query))
                .limit(query.limit())
                .toList();
    }

    private static boolean matches(LoggedDecision logged, AuditQuery query) {
        DecisionRecord decision = logged.decision();
        return (query.since() == null || logged.event().createdAt().isAfter(query.since()))
                && (query.allowed() == null || query.allowed() == decision.isAllowed())
                && (query.agentKeyId() == null || query.agentKeyId().equals(decision.agentKeyId()));
    }
}
