package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The sums of calls that are not written yet. Grows with users, keys and routes, not with calls. */
record UsageAccumulator(
        Map<Day, DayCount> days,
        Map<DayOf<String>, Long> paths,
        Map<DayOf<AgentKeyId>, Long> keys,
        Map<UserId, RecentCalls> recent) {
    UsageAccumulator() {
        this(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
    }

    /**
     * Adds a call.
     *
     * @param maxRows above which no new row is begun
     * @return whether there was room for the call
     */
    boolean add(CallRecord call, int maxRows) {
        Day day = new Day(call.userId(), LocalDate.ofInstant(call.at(), ZoneOffset.UTC));
        DayOf<String> path = new DayOf<>(day, call.path());
        DayOf<AgentKeyId> key = new DayOf<>(day, call.agentKeyId());
        if (rows() >= maxRows && !(paths.containsKey(path) && keys.containsKey(key))) {
            return false;
        }
        paths.merge(path, 1L, Long::sum);
        keys.merge(key, 1L, Long::sum);
        days.computeIfAbsent(day, any -> new DayCount()).add(call);
        recent.computeIfAbsent(call.userId(), any -> new RecentCalls()).add(call);
        return true;
    }

    int rows() {
        return days.size() + paths.size() + keys.size();
    }

    boolean isEmpty() {
        return recent.isEmpty();
    }

    boolean has(UserId user) {
        return recent.containsKey(user);
    }

    /** One user's day (UTC). */
    record Day(UserId user, LocalDate date) {}

    /** A path or a key of one user's day. */
    record DayOf<N>(Day day, N name) {}

    /** The calls and errors of a day, and the latencies: a row of {@code usage_day}, or what is to be added to it. */
    static final class DayCount {
        private final LatencySketch latencies;
        private long total;
        private long errors;

        DayCount() {
            this(0, 0, LatencySketch.empty());
        }

        private DayCount(long total, long errors, LatencySketch latencies) {
            this.total = total;
            this.errors = errors;
            this.latencies = latencies;
        }

        static DayCount read(ResultSet row) throws SQLException {
            return new DayCount(
                    row.getLong("total"), row.getLong("errors"), LatencySketch.read(row.getBytes("latencies")));
        }

        private void add(CallRecord call) {
            total++;
            errors += call.isError() ? 1 : 0;
            latencies.add(call.latencyMicros(), 1);
        }

        void add(DayCount other) {
            total += other.total;
            errors += other.errors;
            latencies.add(other.latencies);
        }

        long total() {
            return total;
        }

        long errors() {
            return errors;
        }

        LatencySketch latencies() {
            return latencies;
        }
    }

    /** The most recent calls of one user's agents, newest first. */
    static final class RecentCalls {
        private final List<CallRecord> calls = new ArrayList<>(UsageReport.RECENT + 1);

        static RecentCalls read(UserId user, String document) {
            RecentCalls recent = new RecentCalls();
            new Stored(CanonicalForm.readStored(document))
                    .objects("calls", stored -> readCall(user, stored))
                    .forEach(recent.calls::add);
            return recent;
        }

        private static CallRecord readCall(UserId user, Stored stored) {
            return new CallRecord(
                    user,
                    new AgentKeyId(UUID.fromString(stored.text("agentKeyId"))),
                    stored.text("path"),
                    (int) stored.integer("status"),
                    stored.integer("latencyMicros"),
                    stored.instant("at"));
        }

        List<CallRecord> newestFirst() {
            return calls;
        }

        void add(CallRecord call) {
            int place = 0;
            while (place < calls.size() && calls.get(place).at().isAfter(call.at())) {
                place++;
            }
            calls.add(place, call);
            if (calls.size() > UsageReport.RECENT) {
                calls.remove(UsageReport.RECENT);
            }
        }

        void addAll(RecentCalls later) {
            for (int i = later.calls.size() - 1; i >= 0; i--) {
                add(later.calls.get(i));
            }
        }

        String document() {
            return CanonicalForm.writeStored(
                    Map.of("calls", calls.stream().map(RecentCalls::members).toList()));
        }

        private static Map<String, @Nullable Object> members(CallRecord call) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put("agentKeyId", call.agentKeyId().toString());
            members.put("path", call.path());
            members.put("status", call.status());
            members.put("latencyMicros", call.latencyMicros());
            members.put("at", Instants.format(call.at()));
            return members;
        }
    }
}
