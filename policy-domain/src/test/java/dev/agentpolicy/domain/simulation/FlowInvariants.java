package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.FLOWS_ARE_EXACT;
import static dev.agentpolicy.domain.simulation.Invariant.FLOWS_HOLD;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.ips.Limit.Per;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Holds flow limits to the allowed proposals of each user, which it keeps one by one with their times. It knows from
 * which proposal on each form counts, and no buckets but the time at which the service lets a proposal go.
 */
final class FlowInvariants {
    private static final int MAX_BUCKETS = 1440;

    private final FirstViolation firstViolation;
    private final Map<UserId, List<Allowed>> proposals = new HashMap<>();
    private final Map<UserId, Map<FlowForm, Integer>> counting = new HashMap<>();
    private long blocked;

    FlowInvariants(FirstViolation firstViolation) {
        this.firstViolation = firstViolation;
    }

    private record Allowed(Instant at, AgentKeyId key, Trade trade) {}

    private record Sum(Usd usd, long trades) {}

    /** The decisions that a flow blocked. */
    long blocked() {
        return blocked;
    }

    /** The time at which the oldest proposal that still counts for a limit in force lets go; null when none does. */
    Instant freesAt(UserId user, IpsVersion ips, Instant now) {
        return flows(ips).stream()
                .flatMap(limit -> of(user, limit.flow()).stream().map(it -> end(it, limit.flow())))
                .filter(end -> end.isAfter(now))
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** What the first limit with a maximum in USD leaves to a key; null when there is none. */
    Usd left(UserId user, IpsVersion ips, AgentKeyId key, Instant now) {
        for (Limit limit : flows(ips)) {
            if (limit.maxUsd() != null && limit.flow().per() != Per.ASSET) {
                Predicate<Allowed> counts = it ->
                        end(it, limit.flow()).isAfter(now) && (limit.flow().per() == Per.ACCOUNT || it.key.equals(key));
                return limit.maxUsd()
                        .minus(sum(of(user, limit.flow()), limit, counts).usd)
                        .max(Usd.ZERO);
            }
        }
        return null;
    }

    void committed(ObservedCommit commit, Account before) {
        List<Allowed> earlierItems = new ArrayList<>();
        for (PolicyEvent row : commit.rows()) {
            if (row.kind() == EventKind.GUARDRAIL_DECISION
                    && !flows(before.ips()).isEmpty()) {
                decided(commit, before.ips(), DecisionPayload.read(CanonicalForm.read(row.payload())), earlierItems);
            } else if (ObservedCommit.isDecision(row, "propose") && ObservedCommit.isAllowed(row)) {
                proposed(commit, DecisionPayload.read(CanonicalForm.read(row.payload())));
            }
        }
        if (commit.outcome().ips() != null) {
            began(commit.user(), commit.outcome().ips());
        }
    }

    /** A form counts from the version on in which it appeared. */
    private void began(UserId user, IpsVersion ips) {
        Map<FlowForm, Integer> before = counting.getOrDefault(user, Map.of());
        int next = proposals.getOrDefault(user, List.of()).size();
        Map<FlowForm, Integer> now = new HashMap<>();
        flows(ips).forEach(limit -> now.put(limit.flow(), before.getOrDefault(limit.flow(), next)));
        counting.put(user, now);
    }

    private void decided(ObservedCommit commit, IpsVersion ips, DecisionRecord it, List<Allowed> earlierItems) {
        boolean isProposal = it.kind() == Kind.PROPOSE && it.isAllowed();
        List<Sum> before = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Limit limit : flows(ips)) {
            ids.add(limit.id());
            before.add(it.trade() == null ? null : counted(commit, limit, it, earlierItems));
        }
        if (isProposal) {
            proposed(commit, it);
            flows(ips).stream().filter(limit -> limit.holds(it.trade())).forEach(limit -> holds(commit, limit, it));
        } else if (it.kind() == Kind.VALIDATE_BATCH && it.isAllowed()) {
            earlierItems.add(new Allowed(commit.now(), it.agentKeyId(), it.trade()));
        }
        blocked += it.decision().violations().stream().anyMatch(violation -> ids.contains(violation.ruleId())) ? 1 : 0;
        for (LimitMeasure said : it.limits()) {
            for (int i = 0; i < before.size(); i++) {
                if (flows(ips).get(i).id().equals(said.id())) {
                    firstViolation.require(
                            before.get(i).equals(new Sum(said.usd(), said.trades())),
                            FLOWS_ARE_EXACT,
                            "counted otherwise",
                            before.get(i),
                            said,
                            it);
                }
            }
        }
    }

    private void proposed(ObservedCommit commit, DecisionRecord it) {
        proposals
                .computeIfAbsent(commit.user(), user -> new ArrayList<>())
                .add(new Allowed(commit.now(), it.agentKeyId(), it.trade()));
    }

    /** No window of this length that ends now has more than the maximum. */
    private void holds(ObservedCommit commit, Limit limit, DecisionRecord it) {
        Duration window = Duration.ofMinutes(limit.flow().windowMinutes());
        Sum sum = sum(
                of(commit.user(), limit.flow()),
                limit,
                other -> other.at.plus(window).isAfter(commit.now()) && isWith(limit, other, it));
        boolean holds = (limit.maxUsd() == null || !sum.usd.isAbove(limit.maxUsd()))
                && (limit.maxTrades() == null || sum.trades <= limit.maxTrades());
        firstViolation.require(holds, FLOWS_HOLD, "more than the maximum", sum, limit, it);
    }

    private Sum counted(ObservedCommit commit, Limit limit, DecisionRecord it, List<Allowed> earlierItems) {
        List<Allowed> all = new ArrayList<>(of(commit.user(), limit.flow()));
        all.addAll(earlierItems);
        return sum(all, limit, other -> end(other, limit.flow()).isAfter(commit.now()) && isWith(limit, other, it));
    }

    private static boolean isWith(Limit limit, Allowed other, DecisionRecord it) {
        return switch (limit.flow().per()) {
            case ACCOUNT -> true;
            case AGENT -> other.key.equals(it.agentKeyId());
            case ASSET -> other.trade.asset().equals(it.trade().asset());
        };
    }

    private static Sum sum(List<Allowed> all, Limit limit, Predicate<Allowed> counts) {
        Usd usd = Usd.ZERO;
        long trades = 0;
        for (Allowed it : all) {
            if (limit.holds(it.trade) && counts.test(it)) {
                usd = usd.plus(it.trade.amount());
                trades++;
            }
        }
        return new Sum(usd, trades);
    }

    /** When a proposal counts no longer: the end of its bucket, and the window. */
    private static Instant end(Allowed it, FlowForm form) {
        long length = 60L * (1 + (form.windowMinutes() - 1) / MAX_BUCKETS);
        long bucket = it.at.getEpochSecond() / length;
        return Instant.ofEpochSecond((bucket + 1) * length + 60L * form.windowMinutes());
    }

    private List<Allowed> of(UserId user, FlowForm form) {
        List<Allowed> all = proposals.getOrDefault(user, List.of());
        int from = counting.getOrDefault(user, Map.of()).getOrDefault(form, all.size());
        return all.subList(from, all.size());
    }

    private static List<Limit> flows(IpsVersion ips) {
        return ips == null
                ? List.of()
                : ips.ips().limits().stream().filter(Limit::isFlow).toList();
    }
}
