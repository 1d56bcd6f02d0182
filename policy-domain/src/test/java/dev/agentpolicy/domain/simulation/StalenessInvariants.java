package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.STALE_HOLDINGS_DECIDE_NOTHING;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that no decision has a snapshot when a synced custodian was heard of too long ago, and that it says so. */
final class StalenessInvariants {
    private final FirstViolation firstViolation;
    private final Set<List<Object>> reports = new HashSet<>();
    private final Map<UserId, Map<String, Freshness>> connected = new HashMap<>();
    private long stale;

    StalenessInvariants(FirstViolation firstViolation) {
        this.firstViolation = firstViolation;
    }

    /**
     * How fresh the holdings of a custodian are.
     *
     * @param connectedAt when it was connected
     * @param heardAt when the last recorded report was asked for
     * @param until the last moment of decisions by it
     */
    private record Freshness(Instant connectedAt, Instant heardAt, Instant until) {}

    /** The number of decisions without a snapshot because of a stale custodian. */
    long stale() {
        return stale;
    }

    /** Notes that a custodian gave a report. */
    void reported(UserId user, Instant askedAt) {
        reports.add(List.of(user, askedAt));
    }

    void committed(ObservedCommit commit) {
        for (PolicyEvent row : commit.rows()) {
            if (row.kind() == EventKind.GUARDRAIL_DECISION) {
                decided(commit, row.payload());
            }
        }
        if (commit.outcome().connections() != null) {
            Map<String, Freshness> before = connected.getOrDefault(commit.user(), Map.of());
            Map<String, Freshness> after = new HashMap<>();
            commit.outcome()
                    .connections()
                    .all()
                    .forEach(it -> after.put(it.id(), freshness(commit, it, before.get(it.id()))));
            connected.put(commit.user(), after);
        }
    }

    private Freshness freshness(ObservedCommit commit, CustodianConnection now, Freshness before) {
        Instant heardAt = now.lastSyncedAt();
        boolean isNew = before == null || !before.connectedAt.equals(now.connectedAt());
        if (isNew) {
            firstViolation.require(
                    heardAt.equals(now.connectedAt()), STALE_HOLDINGS_DECIDE_NOTHING, "nothing was heard", now);
            return new Freshness(now.connectedAt(), heardAt, heardAt);
        }
        if (reports.contains(List.of(commit.user(), heardAt))) {
            return new Freshness(now.connectedAt(), heardAt, heardAt.plus(SimulatedNode.TIMES.maxAge()));
        }
        firstViolation.require(heardAt.equals(before.heardAt), STALE_HOLDINGS_DECIDE_NOTHING, "nothing was heard", now);
        return before;
    }

    private void decided(ObservedCommit commit, String payload) {
        boolean isStale = connected.getOrDefault(commit.user(), Map.of()).values().stream()
                .anyMatch(it -> commit.now().isAfter(it.until));
        boolean hasSnapshot = payload.contains("\"snapshot\":{");
        boolean saysSo = payload.contains("\"stale\":{");
        firstViolation.require(
                !isStale || !hasSnapshot, STALE_HOLDINGS_DECIDE_NOTHING, "decided by a stale snapshot", payload);
        boolean mustSaySo = isStale && payload.contains("\"no_portfolio_snapshot\"");
        firstViolation.require(
                saysSo ? isStale : !mustSaySo, STALE_HOLDINGS_DECIDE_NOTHING, "says otherwise", isStale, payload);
        stale += saysSo ? 1 : 0;
    }
}
