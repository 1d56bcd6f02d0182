package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Says which synced custodians are to be synced when, so that one node at a time syncs each. Methods block. */
public interface SyncSchedule {

    /** A custodian of a user. */
    record CustodianRef(UserId user, String custodian) {}

    /**
     * Takes custodians that are due and that no other node is syncing, the longest due first.
     *
     * @param node the calling process
     * @param lease after this time other nodes may take them, unless {@link #release} was called
     * @param nextDue when they are due again
     */
    List<CustodianRef> claim(UUID node, Instant now, Duration lease, Instant nextDue, int limit);

    /** Gives a custodian back. False, and ignored, when another node has taken it. */
    boolean release(UUID node, CustodianRef custodian);

    /** Makes a custodian due at a time, if it would be due later; otherwise false. */
    boolean sooner(CustodianRef custodian, Instant dueAt);

    /** Makes every custodian that no node is syncing due at a time, if it would be due later. */
    void allDue(Instant now);
}
