package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The most recent calls of one user's agents, newest first. */
final class RecentCalls {
    private final List<CallRecord> calls = new ArrayList<>(UsageReport.RECENT + 1);

    static RecentCalls read(UserId user, String document) {
        RecentCalls recent = new RecentCalls();
        new Stored(CanonicalForm.readStored(document))
                .objects("calls", stored -> readCall(user, stored))
                .forEach(recent.calls::add);
        return recent;
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

    private static CallRecord readCall(UserId user, Stored stored) {
        return new CallRecord(
                user,
                new AgentKeyId(UUID.fromString(stored.text("agentKeyId"))),
                stored.text("path"),
                (int) stored.integer("status"),
                stored.integer("latencyMicros"),
                stored.instant("at"));
    }
}
