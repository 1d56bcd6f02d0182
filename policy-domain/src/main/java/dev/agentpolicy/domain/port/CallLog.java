package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.time.LocalDate;

/** Counts every call of agents without slowing it. */
public interface CallLog {

    /** Takes note of a call; returns at once and never fails, and is durable within a second or two. */
    void record(CallRecord call);

    /** What a user's agents called on the days from one to another, both included; calls noted on this node count. */
    UsageReport report(UserId user, LocalDate first, LocalDate last);
}
