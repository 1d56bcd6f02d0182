package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What keys have used, as it follows from new rows of a chain and nothing else: what a reader of a {@link JournalTail} makes of them. */
final class TallyReplay {
    private final Map<AgentKeyId, Tally> tallies;
    private final Set<AgentKeyId> called = new HashSet<>(2);
    private boolean isDecisionsOnly = true;

    TallyReplay(Map<AgentKeyId, Tally> before) {
        this.tallies = new HashMap<>(before);
    }

    void add(EventSealer.Row row) {
        UUID id = DecisionPayload.agentKeyId(row.draft());
        if (id == null) {
            isDecisionsOnly = false;
            return;
        }
        AgentKeyId key = new AgentKeyId(id);
        tallies.put(
                key,
                JournalTail.after(
                        tallies.getOrDefault(key, Tally.NONE), row.event().createdAt()));
        called.add(key);
    }

    /** Whether nothing else became of the tallies. */
    boolean explains(Map<AgentKeyId, Tally> now) {
        return isDecisionsOnly && tallies.equals(now);
    }

    /** The keys that decided something. */
    Set<AgentKeyId> called() {
        return called;
    }
}
