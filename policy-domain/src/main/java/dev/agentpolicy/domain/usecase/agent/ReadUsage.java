package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.CallLog;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Records the calls of agents and reports them (specification, usage). */
public record ReadUsage(CallLog calls, InstantSource clock) {
    /** Records a call, without blocking. */
    public void note(CallRecord call) {
        calls.record(call);
    }

    /** The report for the given number of days, today included. */
    public UsageReport report(UserId user, int days) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        return calls.report(user, today.minusDays(days - 1L), today);
    }
}
