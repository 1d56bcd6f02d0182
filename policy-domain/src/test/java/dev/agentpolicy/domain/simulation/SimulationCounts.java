package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.request.ServiceRequest;
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
 * @param turnedDown requests rejected by their users
 * @param expired expired requests
 * @param refused requests whose order the broker refused
 */
record SimulationCounts(
        long rows, long requests, long replays, long completed, long turnedDown, long expired, long refused) {
    static final SimulationCounts NONE = new SimulationCounts(0, 0, 0, 0, 0, 0, 0);

    SimulationCounts and(ServiceRequest request) {
        boolean isExpired = Rejected.EXPIRED.equals(request.reason());
        boolean isRefused = request instanceof Pending pending && pending.attempts() > 0;
        return new SimulationCounts(
                rows,
                requests + 1,
                replays,
                completed + (request.status() == RequestStatus.COMPLETED ? 1 : 0),
                turnedDown + (request.status() == RequestStatus.REJECTED && !isExpired ? 1 : 0),
                expired + (isExpired ? 1 : 0),
                refused + (isRefused ? 1 : 0));
    }

    SimulationCounts and(long moreRows, long moreReplays) {
        return new SimulationCounts(
                rows + moreRows, requests, replays + moreReplays, completed, turnedDown, expired, refused);
    }

    SimulationCounts plus(SimulationCounts other) {
        return new SimulationCounts(
                rows + other.rows,
                requests + other.requests,
                replays + other.replays,
                completed + other.completed,
                turnedDown + other.turnedDown,
                expired + other.expired,
                refused + other.refused);
    }
}
