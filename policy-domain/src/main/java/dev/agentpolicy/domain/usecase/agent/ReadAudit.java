package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads the audit feed: the decisions in the chain, with the current state of the requests they created. */
public record ReadAudit(EventLog events, RequestQueue requests) {
    /**
     * An entry of the feed.
     *
     * @param logged the decision and its row in the chain
     * @param request the current request; null when the decision created none
     */
    public record AuditEntry(
            LoggedDecision logged, @Nullable ServiceRequest request) {

        /** The row in the chain. */
        public PolicyEvent event() {
            return logged.event();
        }

        /** The content of the row. */
        public DecisionRecord decision() {
            return logged.decision();
        }
    }

    /** The decisions of an account, newest first. Decisions whose payload was erased are left out. */
    public List<AuditEntry> read(UserId account, AuditQuery query) {
        return entries(account, events.decisions(account, query));
    }

    /**
     * The latest decisions of an account, newest first. Completes on a thread that must not block, see
     * {@link AgentKeys#find}.
     */
    public CompletionStage<List<LoggedDecision>> latest(UserId account, int limit) {
        return events.latest(account, limit);
    }

    /** Adds the requests to decisions. Blocks on a query if any decision created a request. */
    public List<AuditEntry> entries(UserId account, List<LoggedDecision> decisions) {
        Map<Long, ServiceRequest> live = live(account, decisions);
        List<AuditEntry> entries = new ArrayList<>(decisions.size());
        for (LoggedDecision logged : decisions) {
            Long id = logged.decision().serviceRequestId();
            entries.add(new AuditEntry(logged, id == null ? null : live.get(id)));
        }
        return entries;
    }

    private Map<Long, ServiceRequest> live(UserId account, List<LoggedDecision> decisions) {
        List<Long> ids = decisions.stream()
                .map(logged -> logged.decision().serviceRequestId())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return ids.isEmpty() ? Map.of() : requests.findAll(account, ids);
    }
}
