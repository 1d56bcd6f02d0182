package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.Status;

/**
 * What became of the proposals of a town, so that a test can tell that something happened there.
 *
 * @param rows of the chains
 * @param requests created
 * @param replays proposals answered with a request that was there before
 * @param completed executed
 * @param turnedDown rejected by their users
 * @param expired never answered
 * @param refused waiting again, as the broker did not execute them
 */
record Census(long rows, long requests, long replays, long completed, long turnedDown, long expired, long refused) {
    static final Census NOBODY = new Census(0, 0, 0, 0, 0, 0, 0);

    Census and(ServiceRequest request) {
        boolean isExpired = Rejected.EXPIRED.equals(request.reason());
        boolean isRefused = request instanceof Pending pending && pending.attempts() > 0;
        return new Census(
                rows,
                requests + 1,
                replays,
                completed + (request.status() == Status.COMPLETED ? 1 : 0),
                turnedDown + (request.status() == Status.REJECTED && !isExpired ? 1 : 0),
                expired + (isExpired ? 1 : 0),
                refused + (isRefused ? 1 : 0));
    }

    Census and(long moreRows, long moreReplays) {
        return new Census(rows + moreRows, requests, replays + moreReplays, completed, turnedDown, expired, refused);
    }

    Census plus(Census other) {
        return new Census(
                rows + other.rows,
                requests + other.requests,
                replays + other.replays,
                completed + other.completed,
                turnedDown + other.turnedDown,
                expired + other.expired,
                refused + other.refused);
    }
}
