package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.AuditQuery;
import dev.agentpolicy.domain.event.CanonicalForm;
import dev.agentpolicy.domain.event.DecisionPayload;
import dev.agentpolicy.domain.event.DecisionRecord;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
     * @param event the row of the chain it is
     * @param decision what it tells
     * @param request as it stands now, null when the decision created none
     */
    public record Entry(
            PolicyEvent event,
            DecisionRecord decision,
            @Nullable ServiceRequest request) {}

    /** The most recent decisions on an account, newest first; rows whose payload was erased are left out. */
    public List<Entry> read(UserId account, AuditQuery query) {
        List<PolicyEvent> rows = events.decisions(account, query);
        List<DecisionRecord> decisions = new ArrayList<>(rows.size());
        List<PolicyEvent> readable = new ArrayList<>(rows.size());
        for (PolicyEvent row : rows) {
            String payload = row.payload();
            if (payload != null) {
                decisions.add(DecisionPayload.read(CanonicalForm.read(payload)));
                readable.add(row);
            }
        }
        Map<Long, ServiceRequest> live = live(account, decisions);
        List<Entry> entries = new ArrayList<>(readable.size());
        for (int i = 0; i < readable.size(); i++) {
            Long id = decisions.get(i).serviceRequestId();
            entries.add(new Entry(readable.get(i), decisions.get(i), id == null ? null : live.get(id)));
        }
        return entries;
    }

    private Map<Long, ServiceRequest> live(UserId account, List<DecisionRecord> decisions) {
        List<Long> ids = decisions.stream()
                .map(DecisionRecord::serviceRequestId)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return ids.isEmpty() ? Map.of() : requests.findAll(account, ids);
    }
}
