package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.agent.AgentKeyId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A query for decisions, newest first (specification, audit; docs/reference/agent-api.md).
 *
 * @param limit 1 to {@link #MAX_LIMIT}
 * @param agentKeyId only decisions about this key, null for all
 * @param allowed only decisions with this verdict, null for both
 * @param since only decisions after this time, null for all
 * @param before only decisions with a smaller seq, null for all
 */
public record AuditQuery(
        int limit,
        @Nullable AgentKeyId agentKeyId,
        @Nullable Boolean allowed,
        @Nullable Instant since,
        @Nullable Long before) {
    public static final int DEFAULT_LIMIT = 25;
    public static final int MAX_LIMIT = 100;

    /** The latest decisions that pass the filters. */
    public AuditQuery(int limit, @Nullable AgentKeyId agentKeyId, @Nullable Boolean allowed, @Nullable Instant since) {
        this(limit, agentKeyId, allowed, since, null);
    }

    /** The latest decisions, up to a limit. */
    public static AuditQuery latest(int limit) {
        return new AuditQuery(limit, null, null, null);
    }

    /** The same query for decisions with a smaller seq. */
    public AuditQuery before(long seq) {
        return new AuditQuery(limit, agentKeyId, allowed, since, seq);
    }

    /** Whether any filter is set. */
    public boolean isFiltered() {
        return agentKeyId != null || allowed != null || since != null || before != null;
    }
}
