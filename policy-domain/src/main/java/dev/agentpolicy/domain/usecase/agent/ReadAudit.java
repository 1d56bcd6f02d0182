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

/** Reads the audit feed: the decisions of the chain, with the live status of the requests they created. */
public final class ReadAudit {
    private final EventLog events;
    private final RequestQueue requests;

    public ReadAudit(EventLog events, RequestQueue requests) {
        this.events = events;
        this.requests = requests;
    }

    /**
     * One row of the feed.
     *
     * @param logged the decision
     * @param request as it stands now, null when the decision created none
     */
    public record AuditEntry(
            LoggedDecision logged, @Nullable ServiceRequest request) {

        /** The row of the chain it is. */
        public PolicyEvent event() {
            return logged.event();
        }

        /** What it tells. */
        public DecisionRecord decision() {
            return logged.decision();
        }
    }

    /** The most recent decisions on an account, newest first; rows whose payload was erased are left out. */
    public List<AuditEntry> read(UserId account, AuditQuery query) {
        return entries(account, events.decisions(account, query));
    }

    /** The most recent of all decisions, newest first; for who is done with it, see {@link AgentKeys#find}. */
    public CompletionStage<List<LoggedDecision>> latest(UserId account, int limit) {
        return events.latest(account, limit);
    }

    /** The rows of decisions that were read; asks for the requests they led to, if there are any. */
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
