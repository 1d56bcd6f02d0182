package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.time.LocalDate;

/** Counts the calls of agents without delaying them. */
public interface CallLog {

    /** Records a call. Returns at once and never fails; the call is durable within two seconds. */
    void record(CallRecord call);

    /** The calls of a user's agents from the first to the last day, both included. Calls on this node count at once. */
    UsageReport report(UserId user, LocalDate first, LocalDate last);
}
