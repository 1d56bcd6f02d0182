package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** Says which synced custodians are to be synced when, so that one node at a time syncs each. */
public interface SyncSchedule {

    /** A custodian of a user. */
    record CustodianRef(UserId user, String custodian) {}

    /**
     * Takes custodians that are due and that no other node is syncing, the longest due first. Blocks.
     *
     * @param node the calling process
     * @param lease after this time other nodes may take them, unless {@link #release} was called
     * @param nextDue when they are due again
     */
    List<CustodianRef> claim(UUID node, Instant now, Duration lease, Instant nextDue, int limit);

    /** Gives a custodian back. Ignored when another node has taken it. Does not block. */
    CompletionStage<Boolean> release(UUID node, CustodianRef custodian);

    /** Makes a custodian due at a time, if it would be due later. Does not block. */
    CompletionStage<Boolean> sooner(CustodianRef custodian, Instant dueAt);

    /** Makes every custodian that no node is syncing due at a time, if it would be due later. Blocks. */
    void allDue(Instant now);
}
