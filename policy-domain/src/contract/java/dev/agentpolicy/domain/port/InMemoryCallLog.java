package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.Call;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.Day;
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

/** Every call ever noted, counted anew for every report; exact and slow. */
public final class InMemoryCallLog implements CallLog {
    private final List<Call> calls = new ArrayList<>();

    @Override
    public synchronized void record(Call call) {
        calls.add(call);
    }

    @Override
    public synchronized UsageReport report(UserId user, LocalDate first, LocalDate last) {
        List<Call> own =
                calls.stream().filter(call -> call.userId().equals(user)).toList();
        List<Call> window = own.stream()
                .filter(call -> !day(call).isBefore(first) && !day(call).isAfter(last))
                .toList();
        return new UsageReport(
                first.atStartOfDay(ZoneOffset.UTC).toInstant(),
                new Totals(window.size(), errors(window), millisAt(window, 50), millisAt(window, 95)),
                first.datesUntil(last.plusDays(1)).map(day -> day(window, day)).toList(),
                top(window, Call::path)
                        .map(top -> new PathCount(top.getKey(), top.getValue()))
                        .toList(),
                top(window, Call::agentKeyId)
                        .map(top -> new KeyCount(top.getKey(), top.getValue()))
                        .toList(),
                own.stream()
                        .sorted(Comparator.comparing(Call::at).reversed())
                        .limit(UsageReport.RECENT)
                        .toList());
    }

    private static LocalDate day(Call call) {
        return LocalDate.ofInstant(call.at(), ZoneOffset.UTC);
    }

    private static Day day(List<Call> window, LocalDate day) {
        List<Call> ofDay = window.stream().filter(call -> day(call).equals(day)).toList();
        return new Day(day, ofDay.size(), errors(ofDay));
    }

    private static long errors(List<Call> calls) {
        return calls.stream().filter(Call::isError).count();
    }

    private static long millisAt(List<Call> calls, int percentile) {
        int rank = (calls.size() * percentile + 99) / 100;
        return calls.stream()
                .map(Call::latencyMicros)
                .sorted()
                .skip(Math.max(0, rank - 1))
                .findFirst()
                .map(micros -> (micros + 500) / 1_000)
                .orElse(0L);
    }

    private static <N> Stream<Map.Entry<N, Long>> top(List<Call> calls, Function<Call, N> name) {
        return calls.stream().collect(Collectors.groupingBy(name, Collectors.counting())).entrySet().stream()
                .sorted(Map.Entry.<N, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(UsageReport.TOP);
    }
}
