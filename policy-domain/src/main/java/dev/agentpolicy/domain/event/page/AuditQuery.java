package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.agent.AgentKeyId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which decisions to read, newest first (specification, audit; contract, section 3).
 *
 * @param limit 1 to {@link #MAX_LIMIT}
 * @param agentKeyId only of this key, null for any actor
 * @param allowed only allowed or only blocked ones, null for both
 * @param since only strictly after, null for all
 */
public record AuditQuery(
        int limit,
        @Nullable AgentKeyId agentKeyId,
        @Nullable Boolean allowed,
        @Nullable Instant since) {
    public static final int DEFAULT_LIMIT = 25;
    public static final int MAX_LIMIT = 100;

    /** All there are, up to a limit. */
    public static AuditQuery latest(int limit) {
        return new AuditQuery(limit, null, null, null);
    }

    /** Whether it leaves some out, and not only for the limit. */
    public boolean isFiltered() {
        return agentKeyId != null || allowed != null || since != null;
    }
}
