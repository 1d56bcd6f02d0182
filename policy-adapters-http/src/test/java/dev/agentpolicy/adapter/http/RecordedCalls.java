package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.CallLog;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.DailyUsage;
import dev.agentpolicy.domain.usage.UsageReport.KeyCount;
import dev.agentpolicy.domain.usage.UsageReport.PathCount;
import dev.agentpolicy.domain.usage.UsageReport.Totals;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Records calls in memory and reports all latencies as 0. */
public final class RecordedCalls implements CallLog {
    private final List<CallRecord> calls = new ArrayList<>();

    @Override
    public synchronized void record(CallRecord call) {
        calls.add(call);
    }

    synchronized List<CallRecord> all() {
        return List.copyOf(calls);
    }

    @Override
    public synchronized UsageReport report(UserId user, LocalDate first, LocalDate last) {
        List<CallRecord> own =
                calls.stream().filter(call -> call.userId().equals(user)).toList();
        List<DailyUsage> series =
                first.datesUntil(last.plusDays(1)).map(day -> day(own, day)).toList();
        long errors = own.stream().filter(CallRecord::isError).count();
        List<PathCount> paths = own.stream()
                .collect(Collectors.groupingBy(CallRecord::path, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> new PathCount(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(PathCount::count).reversed())
                .limit(UsageReport.TOP)
                .toList();
        List<KeyCount> keys = own.stream()
                .collect(Collectors.groupingBy(CallRecord::agentKeyId, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> new KeyCount(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(KeyCount::count).reversed())
                .limit(UsageReport.TOP)
                .toList();
        List<CallRecord> recent = new ArrayList<>(own);
        Collections.reverse(recent);
        return new UsageReport(
                first.atStartOfDay(ZoneOffset.UTC).toInstant(),
                new Totals(own.size(), errors, 0, 0),
                series,
                paths,
                keys,
                recent.stream().limit(UsageReport.RECENT).toList());
    }

    private static DailyUsage day(List<CallRecord> calls, LocalDate day) {
        List<CallRecord> of = calls.stream()
                .filter(call -> LocalDate.ofInstant(call.at(), ZoneOffset.UTC).equals(day))
                .toList();
        return new DailyUsage(
                day, of.size(), of.stream().filter(CallRecord::isError).count());
    }
}
