package dev.agentpolicy.domain.usecase.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.InMemoryCallLog;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The report of agents' calls. */
class ReadUsageTest {
    private static final UserId USER = new UserId(new UUID(0, 1));
    private final ReadUsage usage = new ReadUsage(new InMemoryCallLog(), new SettableClock(SampleValues.NOON));

    @Test
    void a_report_covers_the_given_number_of_days_today_included() {
        CallRecord today = call(SampleValues.NOON);
        CallRecord sixDaysAgo = call(SampleValues.NOON.minus(Duration.ofDays(6)));
        usage.note(today);
        usage.note(sixDaysAgo);
        usage.note(call(SampleValues.NOON.minus(Duration.ofDays(7))));

        UsageReport week = usage.report(USER, 7);

        assertThat(week.since()).isEqualTo("2026-11-15T00:00:00Z");
        assertThat(week.totals().total()).isEqualTo(2);
        assertThat(week.series())
                .hasSize(7)
                .last()
                .isEqualTo(new UsageReport.DailyUsage(LocalDate.of(2026, 11, 21), 1, 0));
        assertThat(usage.report(USER, 1).totals().total()).isOne();
        assertThat(usage.report(USER, 1).recent()).startsWith(today, sixDaysAgo);
    }

    @Test
    void a_report_has_only_the_calls_of_the_users_own_agents() {
        usage.note(call(SampleValues.NOON));

        assertThat(usage.report(new UserId(new UUID(0, 2)), 7).totals().total()).isZero();
    }

    private static CallRecord call(Instant at) {
        return new CallRecord(USER, new AgentKeyId(new UUID(0, 3)), "/v1/validate", 200, 1_000, at);
    }
}
