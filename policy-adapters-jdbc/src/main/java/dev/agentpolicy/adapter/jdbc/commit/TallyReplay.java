package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.RowWriter.SealedEvent;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Replays decisions of the journal onto tallies. The snapshot of an account may be behind its journal; the decisions of
 * this tail are one call of their key each, so tallies up to date follow from the stored ones and the tail.
 */
public final class TallyReplay {
    private final Map<AgentKeyId, Tally> tallies;
    private final Set<AgentKeyId> called = new HashSet<>(2);
    private boolean isDecisionsOnly = true;

    TallyReplay(Map<AgentKeyId, Tally> before) {
        this.tallies = new HashMap<>(before);
    }

    /** What a key has used after one more decision. */
    public static Tally after(Tally before, Instant decidedAt) {
        return before.at(decidedAt).plusCall();
    }

    /** The tally in a row that was joined with the table of tallies; nothing used if there is none. */
    public static Tally stored(ResultSet row) throws SQLException {
        return row.getString("usd") == null ? Tally.NONE : RowReader.tally(row);
    }

    void put(AgentKeyId key, Tally stored) {
        tallies.put(key, stored);
    }

    /** Adds a decision of a key, whose tally is {@code stored} if none is known yet. */
    void add(AgentKeyId key, Instant decidedAt, Tally stored) {
        tallies.put(key, after(tallies.getOrDefault(key, stored), decidedAt));
        called.add(key);
    }

    /** Adds a new event; anything but a decision is not explained by a replay. */
    void add(SealedEvent sealed) {
        UUID key = DecisionPayload.agentKeyId(sealed.draft());
        if (key == null) {
            isDecisionsOnly = false;
        } else {
            add(new AgentKeyId(key), sealed.event().createdAt(), Tally.NONE);
        }
    }

    Map<AgentKeyId, Tally> tallies() {
        return new HashMap<>(tallies);
    }

    /** Whether replaying the events gives exactly these tallies. */
    boolean explains(Map<AgentKeyId, Tally> now) {
        return isDecisionsOnly && tallies.equals(now);
    }

    /** The keys that decided something. */
    Set<AgentKeyId> called() {
        return called;
    }
}
