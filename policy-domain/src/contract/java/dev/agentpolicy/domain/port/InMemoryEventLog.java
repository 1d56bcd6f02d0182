package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.port.EventLog.ChainVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Reads the chains of an {@link InMemoryStore}. */
record InMemoryEventLog(InMemoryStore store) implements EventLog {

    @Override
    public EventPage page(UserId user, EventQuery query) {
        boolean isAscending = query.order() == Direction.ASC;
        Stream<PolicyEvent> found = ordered(user, query.order())
                .filter(event -> query.kind().isEmpty() || query.kind().get() == event.kind())
                .filter(event -> query.since().isEmpty()
                        || !event.createdAt().isBefore(query.since().get()))
                .filter(event -> query.after().isEmpty()
                        || (isAscending
                                ? event.seq() > query.after().getAsLong()
                                : event.seq() < query.after().getAsLong()));
        return EventPage.of(query, found.limit(query.limit() + 1L).toList())
                .explainedBy(store.account(user).erasures());
    }

    @Override
    public ChainHead head(UserId user) {
        return store.account(user).view().head();
    }

    @Override
    public ChainVersion version(UserId user) {
        return new ChainVersion(head(user), store.account(user).erasures().size());
    }

    @Override
    public List<LoggedDecision> decisions(UserId user, AuditQuery query) {
        return store.account(user).decisions().stream()
                .filter(logged -> isAsked(logged, query))
                .limit(query.limit())
                .filter(logged -> !store.account(user).isErased(logged.event().seq()))
                .toList();
    }

    private static boolean isAsked(LoggedDecision logged, AuditQuery query) {
        DecisionRecord decision = logged.decision();
        return (query.agentKeyId() == null || query.agentKeyId().equals(decision.agentKeyId()))
                && (query.allowed() == null || query.allowed() == decision.isAllowed())
                && (query.before() == null || logged.event().seq() < query.before())
                && (query.since() == null || logged.event().createdAt().isAfter(query.since()));
    }

    private Stream<PolicyEvent> ordered(UserId user, Direction order) {
        List<PolicyEvent> events = new ArrayList<>(store.account(user).events());
        if (order == Direction.DESC) {
            Collections.reverse(events);
        }
        return events.stream();
    }
}
