package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.DailyUsage;
import dev.agentpolicy.domain.usage.UsageReport.KeyCount;
import dev.agentpolicy.domain.usage.UsageReport.PathCount;
import dev.agentpolicy.domain.usage.UsageReport.Totals;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A call log in memory that counts all calls again for every report: exact and slow. */
public final class InMemoryCallLog implements CallLog {
    private final List<CallRecord> calls = new ArrayList<>();

    @Override
    public synchronized void record(CallRecord call) {
        calls.add(call);
    }

    @Override
    public synchronized UsageReport report(UserId user, LocalDate first, LocalDate last) {
        List<CallRecord> own =
                calls.stream().filter(call -> call.userId().equals(user)).toList();
        List<CallRecord> window = own.stream()
                .filter(call -> !day(call).isBefore(first) && !day(call).isAfter(last))
                .toList();
        return new UsageReport(
                first.atStartOfDay(ZoneOffset.UTC).toInstant(),
                new Totals(window.size(), errors(window), millisAt(window, 50), millisAt(window, 95)),
                first.datesUntil(last.plusDays(1)).map(day -> day(window, day)).toList(),
                top(window, CallRecord::path)
                        .map(top -> new PathCount(top.getKey(), top.getValue()))
                        .toList(),
                top(window, CallRecord::agentKeyId)
                        .map(top -> new KeyCount(top.getKey(), top.getValue()))
                        .toList(),
                own.stream()
                        .sorted(Comparator.comparing(CallRecord::at).reversed())
                        .limit(UsageReport.RECENT)
                        .toList());
    }

    private static LocalDate day(CallRecord call) {
        return LocalDate.ofInstant(call.at(), ZoneOffset.UTC);
    }

    private static DailyUsage day(List<CallRecord> window, LocalDate day) {
        List<CallRecord> ofDay =
                window.stream().filter(call -> day(call).equals(day)).toList();
        return new DailyUsage(day, ofDay.size(), errors(ofDay));
    }

    private static long errors(List<CallRecord> calls) {
        return calls.stream().filter(CallRecord::isError).count();
    }

    private static long millisAt(List<CallRecord> calls, int percentile) {
        int rank = (calls.size() * percentile + 99) / 100;
        return calls.stream()
                .map(CallRecord::latencyMicros)
                .sorted()
                .skip(Math.max(0, rank - 1))
                .findFirst()
                .map(micros -> (micros + 500) / 1_000)
                .orElse(0L);
    }

    private static <N> Stream<Map.Entry<N, Long>> top(List<CallRecord> calls, Function<CallRecord, N> name) {
        return calls.stream().collect(Collectors.groupingBy(name, Collectors.counting())).entrySet().stream()
                .sorted(Map.Entry.<N, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(UsageReport.TOP);
    }
}
