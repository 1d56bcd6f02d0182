package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.ONE_REQUEST_PER_IDEMPOTENCY_KEY;
import static dev.agentpolicy.domain.simulation.Invariant.REQUESTS_HAVE_AN_ALLOWED_DECISION;
import static dev.agentpolicy.domain.simulation.Invariant.RESOLVED_REQUESTS_NEVER_CHANGE;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks every request from its first commit on. */
final class RequestInvariants {
    private final FirstViolation firstViolation;
    private final Map<Long, ServiceRequest> known = new LinkedHashMap<>();
    private long replays;
    private final Map<UserId, List<Long>> byUser = new HashMap<>();
    private final Map<IdempotencyKey, Bound> bound = new HashMap<>();

    RequestInvariants(FirstViolation firstViolation) {
        this.firstViolation = firstViolation;
    }

    private record Bound(long request, Instant at) {
        boolean isOver(Instant now) {
            return !now.isBefore(at.plus(IdempotencyKey.WINDOW));
        }
    }

    Collection<ServiceRequest> all() {
        return known.values();
    }

    long replays() {
        return replays;
    }

    /** All requests of a user, oldest first. */
    List<Long> of(UserId user) {
        return byUser.getOrDefault(user, List.of());
    }

    ServiceRequest known(long id) {
        return known.get(id);
    }

    void committed(ObservedCommit commit) {
        if (commit.origin().proposed() != null && commit.answer() instanceof Answer<?> answer) {
            answer.fold(given -> replayed(commit, (Proposed) given), refused -> null);
        }
        int created = 0;
        for (ServiceRequest request : commit.outcome().requests()) {
            ServiceRequest before = known.put(request.id(), request);
            if (before == null) {
                created++;
                created(commit, request);
            } else {
                firstViolation.require(
                        before.status() == RequestStatus.PENDING,
                        RESOLVED_REQUESTS_NEVER_CHANGE,
                        "moved",
                        before,
                        request);
            }
        }
        for (PolicyEvent row : commit.rows()) {
            boolean allows = ObservedCommit.isDecision(row, "propose") && ObservedCommit.isAllowed(row);
            firstViolation.require(
                    !allows || created == 1, REQUESTS_HAVE_AN_ALLOWED_DECISION, "allowed without one", row);
        }
    }

    private Object replayed(ObservedCommit commit, Proposed proposed) {
        Bound before = commit.origin().once() == null
                ? null
                : bound.get(commit.origin().once());
        boolean isExpected = before != null && !before.isOver(commit.now());
        boolean isReplay = proposed.isReplay() && proposed.requestId() != null;
        boolean isRight = isReplay == isExpected && (!isReplay || before.request == proposed.requestId());
        replays += isReplay ? 1 : 0;
        firstViolation.require(isRight, ONE_REQUEST_PER_IDEMPOTENCY_KEY, "bound to", before, proposed);
        return null;
    }

    private void created(ObservedCommit commit, ServiceRequest request) {
        boolean isAllowed = commit.rows().stream()
                .anyMatch(row -> ObservedCommit.isDecision(row, "propose")
                        && ObservedCommit.isAllowed(row)
                        && ObservedCommit.isOf(row, request.id()));
        firstViolation.require(isAllowed, REQUESTS_HAVE_AN_ALLOWED_DECISION, "no row allows", request);
        boolean isNew = request instanceof Pending pending
                && !pending.isAccepted()
                && request.proposal().trade().equals(commit.origin().proposed());
        firstViolation.require(isNew, REQUESTS_HAVE_AN_ALLOWED_DECISION, "not what was asked for", request);
        byUser.computeIfAbsent(commit.user(), it -> new ArrayList<>()).add(request.id());
        IdempotencyKey once = commit.origin().once();
        if (once != null) {
            Bound before = bound.put(once, new Bound(request.id(), commit.now()));
            boolean isFirst = before == null || before.isOver(commit.now());
            firstViolation.require(isFirst, ONE_REQUEST_PER_IDEMPOTENCY_KEY, "there was", before, request);
        }
    }
}
