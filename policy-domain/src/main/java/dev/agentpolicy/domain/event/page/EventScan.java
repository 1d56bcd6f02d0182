package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventFacts;
import org.jspecify.annotations.Nullable;

/**
 * A part of a chain to look through, newest first. Its conditions are those that an index answers; which rows are shown
 * is decided by who looks through them.
 *
 * @param from the first seq
 * @param before the seq after the last one
 * @param limit how many rows at most
 * @param decisions whether decisions are wanted
 * @param others whether rows are wanted that are no decisions
 * @param agentKeyId only decisions about this key, null for all; other rows are not affected
 * @param allowed only decisions with this verdict, null for both; other rows are not affected
 */
public record EventScan(
        long from,
        long before,
        int limit,
        boolean decisions,
        boolean others,
        @Nullable AgentKeyId agentKeyId,
        @Nullable Boolean allowed) {

    /** Every row. */
    public static EventScan all(int limit) {
        return new EventScan(1, Long.MAX_VALUE, limit, true, true, null, null);
    }

    /** The same conditions for the rows before one. */
    public EventScan continued(long beforeSeq, int atMost) {
        return new EventScan(from, beforeSeq, atMost, decisions, others, agentKeyId, allowed);
    }

    /** Whether an event is wanted, whatever its place; an erased decision is not if only some decisions are. */
    public boolean admits(EventFacts event) {
        if (event.row().kind() != EventKind.GUARDRAIL_DECISION) {
            return others;
        }
        return decisions
                && (agentKeyId == null || agentKeyId.equals(event.agentKeyId()))
                && (allowed == null || allowed.equals(event.allowed()));
    }

    /** Whether decisions are wanted of one key or one verdict only. */
    public boolean isByDecision() {
        return decisions && (agentKeyId != null || allowed != null);
    }
}
