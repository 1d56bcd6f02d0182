package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;
import org.jspecify.annotations.Nullable;

/** The sums of calls that are not written yet. Grows with users, keys and routes, not with calls. */
public record UsageAccumulator(
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

    /**
     * A histogram of latencies that takes a few hundred bytes for any number of calls. Latencies are microseconds with two
     * significant digits, so a percentile is accurate to one percent. Adding two sketches loses nothing.
     */
    public static final class LatencySketch {
        private static final int DIGITS = 2;
        private static final long MAX_MICROS = 3_600_000_000L;
        private static final int MICROS_PER_MILLI = 1_000;

        private final AbstractHistogram histogram;

        private LatencySketch(AbstractHistogram histogram) {
            this.histogram = histogram;
            histogram.setAutoResize(true);
        }

        /** An empty sketch with a small footprint. */
        public static LatencySketch empty() {
            return new LatencySketch(new PackedHistogram(DIGITS));
        }

        /** An empty sketch that is larger, and faster to add others to. */
        static LatencySketch sum() {
            return new LatencySketch(new Histogram(DIGITS));
        }

        /** Reads the bytes of {@link #toBytes}. */
        static LatencySketch read(byte[] bytes) {
            try {
                return new LatencySketch(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
            } catch (DataFormatException broken) {
                throw new IllegalStateException("A stored latency sketch cannot be read.", broken);
            }
        }

        public void add(long micros, long calls) {
            histogram.recordValueWithCount(Math.min(Math.max(micros, 0), MAX_MICROS), calls);
        }

        public void add(LatencySketch other) {
            histogram.add(other.histogram);
        }

        /** The latency at a percentile in milliseconds, rounded half up; 0 without calls. */
        long millisAt(double percentile) {
            if (histogram.getTotalCount() == 0) {
                return 0;
            }
            long micros = histogram.medianEquivalentValue(histogram.getValueAtPercentile(percentile));
            return (micros + MICROS_PER_MILLI / 2) / MICROS_PER_MILLI;
        }

        public byte[] toBytes() {
            ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            int length = histogram.encodeIntoCompressedByteBuffer(buffer);
            return Arrays.copyOf(buffer.array(), length);
        }
    }
}
