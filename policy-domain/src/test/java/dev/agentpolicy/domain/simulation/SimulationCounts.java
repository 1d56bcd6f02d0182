package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;

/**
 * What happened in a simulation, so that a test can check that it did enough.
 *
 * @param rows rows of all chains
 * @param requests created requests
 * @param replays replayed proposals
 * @param completed completed requests
 * @param partly those of them of whose order only a part was filled
 * @param turnedDown requests rejected by their users
 * @param canceled requests whose order the user took back
 * @param expired expired requests
 * @param refused requests whose order was not executed
 * @param fills fills in all chains
 * @param stale decisions without a snapshot, because a custodian was heard of too long ago
 * @param limited decisions that a flow limit blocked
 */
record SimulationCounts(
        long rows,
        long requests,
        long replays,
        long completed,
        long partly,
        long turnedDown,
        long canceled,
        long expired,
        long refused,
        long fills,
        long stale,
        long limited) {
    static final SimulationCounts NONE = new SimulationCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    SimulationCounts and(ServiceRequest request) {
        boolean isRejected = request.status() == RequestStatus.REJECTED;
        boolean isExpired = Rejected.EXPIRED.equals(request.reason());
        boolean isCanceled = Rejected.CANCELED.equals(request.reason());
        boolean isRefused = request instanceof Pending pending && pending.attempts() > 0;
        boolean isPartly =
                request instanceof Completed completed && !(completed.order().state() instanceof OrderState.Filled);
        return plus(new SimulationCounts(
                0,
                1,
                0,
                request.status() == RequestStatus.COMPLETED ? 1 : 0,
                isPartly ? 1 : 0,
                isRejected && !isExpired && !isCanceled ? 1 : 0,
                isCanceled ? 1 : 0,
                isExpired ? 1 : 0,
                isRefused ? 1 : 0,
                0,
                0,
                0));
    }

    SimulationCounts and(long moreRows, long moreReplays, long moreFills, long moreStale, long moreLimited) {
        return plus(
                new SimulationCounts(moreRows, 0, moreReplays, 0, 0, 0, 0, 0, 0, moreFills, moreStale, moreLimited));
    }

    SimulationCounts plus(SimulationCounts other) {
        return new SimulationCounts(
                rows + other.rows,
                requests + other.requests,
                replays + other.replays,
                completed + other.completed,
                partly + other.partly,
                turnedDown + other.turnedDown,
                canceled + other.canceled,
                expired + other.expired,
                refused + other.refused,
                fills + other.fills,
                stale + other.stale,
                limited + other.limited);
    }
}
