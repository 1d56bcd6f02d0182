package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.AuditQuery;
import dev.agentpolicy.domain.event.ChainHead;
import dev.agentpolicy.domain.event.EventPage;
import dev.agentpolicy.domain.event.EventQuery;
import dev.agentpolicy.domain.event.PolicyEvent;
import java.util.List;

/** Reads users' chains; they are written only inside {@link Accounts}. */
public interface EventLog {

    /** One page of rows in the order asked for. */
    EventPage page(UserId user, EventQuery query);

    /** Where the chain ends now. */
    ChainHead head(UserId user);

    /** The {@code guardrail.decision} rows of the chain, newest first. */
    List<PolicyEvent> decisions(UserId user, AuditQuery query);
}
