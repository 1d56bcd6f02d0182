package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides recorded decisions anew under a draft, oldest first, as if neither all agents nor their keys were paused
 * (docs/reference/replay.md). Flows of the draft count the proposals that were allowed then; approvals count from nothing
 * on. Not thread-safe.
 */
final class DraftReplay {
    private final AccountReader accounts;
    private final UserId user;
    private final AccountView standing;
    private final IpsVersion draft;
    private final Instant first;
    private FlowCounts flows = FlowCounts.NONE;
    private @Nullable IpsVersion then;

    /**
     * Begins a replay.
     *
     * @param first every proposal since then is given to {@link #decide}
     */
    DraftReplay(AccountReader accounts, UserId user, AccountView standing, Ips draft, Instant first) {
        this.accounts = accounts;
        this.user = user;
        this.standing = standing;
        this.first = first;
        IpsVersion inForce = standing.ips();
        this.draft = new IpsVersion(
                inForce == null ? 1 : inForce.version() + 1,
                draft,
                standing.head().createdAt());
    }

    /** A draft with canonical symbols and the approvals that it would have if it were put in force now. */
    static Reading<Ips> spelled(Amendment sent, AccountView standing) {
        return canonical(sent.ips(), standing)
                .then(spelled -> Reading.of(approved(spelled, sent.keepsApprovals(), standing)));
    }

    /** A document with canonical symbols. */
    static Reading<Ips> canonical(Ips document, AccountView standing) {
        IpsVersion inForce = standing.ips();
        return CanonicalIps.of(
                document,
                KnownAssets.resolver(standing.portfolio(), null, List.of()),
                inForce == null ? null : inForce.ips());
    }

    /**
     * A draft with the approvals that it would have if it were put in force now.
     *
     * @param spelled with canonical symbols
     * @param keepsApprovals whether it takes the approvals in force, and not its own
     */
    static Ips approved(Ips spelled, boolean keepsApprovals, AccountView standing) {
        IpsVersion inForce = standing.ips();
        if (inForce == null) {
            return spelled;
        }
        Ips draft = keepsApprovals ? spelled.withApprovals(inForce.ips().approvals()) : spelled;
        return draft.withApprovals(
                draft.approvalsAfter(inForce.ips(), standing.flows().approvals()));
    }

    /** How long before a decision the flows of a draft count; zero without flows. */
    static Duration longestWindow(Ips draft) {
        return draft.limits().stream()
                .filter(Limit::isFlow)
                .map(DraftReplay::window)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private static Duration window(Limit limit) {
        return Duration.ofMinutes(
                limit.flow().windowMinutes() + (long) limit.flow().bucketMinutes());
    }

    /**
     * Decides the next decision.
     *
     * @param was of a trade that could be read
     * @return empty if the verdict depends on what no row recorded
     */
    Optional<Decision> decide(DecisionRecord was) {
        Trade trade = Objects.requireNonNull(was.trade());
        EvaluationContext context = context(trade, was);
        Decision decided = Evaluator.decide(context);
        boolean isKnown = !decided.isAllowed() || isKnown(trade, was);
        if (was.kind() == Kind.PROPOSE && was.isAllowed()) {
            flows = flows.plus(
                    draft.ips().limits(),
                    decided.isAllowed() ? context.usedApprovals() : List.of(),
                    was.agentKeyId(),
                    trade,
                    was.decision().checkedAt());
        }
        return isKnown ? Optional.of(decided) : Optional.empty();
    }

    /** Whether rows say what all limits of the draft would have been compared with. */
    private boolean isKnown(Trade trade, DecisionRecord was) {
        return draft.ips().limits().stream()
                .allMatch(limit -> !isCompared(limit, trade, was) || measure(limit, trade, was) != null);
    }

    /** Whether a limit could stop a trade: positions and losses only buys, flows only what agents ask. */
    private static boolean isCompared(Limit limit, Trade trade, DecisionRecord was) {
        return limit.holds(trade) && (limit.isFlow() ? was.kind() != Kind.ATTESTATION : trade.isBuy());
    }

    /** What a limit of the draft would have been compared with; null when no row says it. */
    private @Nullable LimitMeasure measure(Limit limit, Trade trade, DecisionRecord was) {
        Instant at = was.decision().checkedAt();
        if (limit.isFlow()) {
            return first.isBefore(at.minus(window(limit)))
                    ? LimitMeasure.flow(limit.id(), flows.of(limit.flow(), was.agentKeyId(), trade), at)
                    : null;
        }
        Usd held = was.held();
        return limit.perAsset() && held != null ? LimitMeasure.position(limit.id(), held) : recorded(limit, was);
    }

    /** What the row says of a limit that the policy of that time had as well, whatever its maximum was. */
    private @Nullable LimitMeasure recorded(Limit limit, DecisionRecord was) {
        Integer version = was.decision().ipsVersion();
        if (was.limits().isEmpty() || version == null) {
            return null;
        }
        if (then == null || then.version() != version) {
            then = accounts.ipsVersion(user, version).orElse(null);
        }
        boolean isSame = then != null
                && then.ips().limits().stream().anyMatch(it -> it.id().equals(limit.id()) && it.isMeasuredAs(limit));
        return isSame
                ? was.limits().stream()
                        .filter(it -> it.id().equals(limit.id()))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    /** What a decision depends on under the draft, as far as rows say it. */
    private EvaluationContext context(Trade trade, DecisionRecord was) {
        List<LimitMeasure> known = new ArrayList<>();
        for (Limit limit : draft.ips().limits()) {
            LimitMeasure measure = isCompared(limit, trade, was) ? measure(limit, trade, was) : null;
            if (measure != null) {
                known.add(measure);
            }
        }
        KeyPolicy policy = Optional.ofNullable(standing.keys().get(was.agentKeyId()))
                .map(key -> key.policy().withPaused(false))
                .orElse(KeyPolicy.NO_CAPS);
        ResolvedAsset asset = was.asset();
        ApprovalCounts used = was.kind() == Kind.ATTESTATION ? ApprovalCounts.NONE : flows.approvals();
        return new EvaluationContext(
                trade,
                asset == null ? null : asset.under(draft.ips().unknownAssets()),
                draft,
                was.decision().snapshot(),
                was.held(),
                policy,
                was.used(),
                was.decision().stale(),
                draft.ips().approvals(was.agentKeyId().value(), was.decision().checkedAt()).stream()
                        .map(used::of)
                        .toList(),
                known,
                was.decision().checkedAt());
    }
}
