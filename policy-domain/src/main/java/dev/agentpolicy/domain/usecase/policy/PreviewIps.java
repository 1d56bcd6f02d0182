package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.page.AuditQuery;
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
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows what recent decisions would have been under another IPS (docs/reference/app-api.md). Stores nothing. */
public final class PreviewIps {
    /** Maximum number of decisions that are examined. */
    public static final int MAX_DECISIONS = 200;

    private final ReadAudit audit;
    private final AccountReader accounts;

    public PreviewIps(ReadAudit audit, AccountReader accounts) {
        this.audit = audit;
        this.accounts = accounts;
    }

    /**
     * A past decision and what it would have been.
     *
     * @param entry the past decision
     * @param preview the decision under the draft, with everything else unchanged
     */
    public record PreviewedDecision(ReadAudit.AuditEntry entry, Decision preview) {

        public boolean isDifferent() {
            return entry.decision().decision().isAllowed() != preview.isAllowed();
        }
    }

    /**
     * Previews the latest decisions, newest first, as if neither all agents nor their keys were paused. Leaves out
     * trades that could not be read, rejections by the user, and decisions that depend on what no row recorded: the value of
     * several assets together, the highest value of days, and proposals before those that are examined. Counts of approvals
     * begin with the first decision that is examined.
     */
    public Answer<List<PreviewedDecision>> preview(UserId user, Amendment amendment) {
        AccountView standing = accounts.view(user);
        IpsVersion inForce = standing.ips();
        Ips draft = amendment.keepsApprovals() && inForce != null
                ? amendment.ips().withApprovals(inForce.ips().approvals())
                : amendment.ips();
        return CanonicalIps.of(
                        draft,
                        KnownAssets.resolver(standing.portfolio(), null, List.of()),
                        inForce == null ? null : inForce.ips())
                .fold(
                        spelled -> Answer.given(lines(
                                user,
                                inForce == null
                                        ? spelled
                                        : spelled.withApprovals(spelled.approvalsAfter(
                                                inForce.ips(), standing.flows().approvals())),
                                standing)),
                        problems -> Answer.refused(Refusal.invalid(problems)));
    }

    private List<PreviewedDecision> lines(UserId user, Ips draft, AccountView standing) {
        IpsVersion ips =
                new IpsVersion(next(standing.ips()), draft, standing.head().createdAt());
        List<ReadAudit.AuditEntry> entries = new ArrayList<>(audit.read(user, AuditQuery.latest(MAX_DECISIONS)));
        Collections.reverse(entries);
        boolean isAll = entries.size() < MAX_DECISIONS;
        Instant first =
                isAll ? Instant.EPOCH : entries.get(0).decision().decision().checkedAt();
        FlowCounts flows = FlowCounts.NONE;
        List<PreviewedDecision> lines = new ArrayList<>();
        for (ReadAudit.AuditEntry entry : entries) {
            DecisionRecord was = entry.decision();
            Trade trade = was.trade();
            if (trade == null || !isOfThePolicy(was)) {
                continue;
            }
            SinceFirst before = new SinceFirst(flows, first);
            EvaluationContext context = context(trade, ips, was, standing, before);
            Decision decided = Evaluator.decide(context);
            if (!decided.isAllowed() || before.isKnown(draft, trade, was)) {
                lines.add(new PreviewedDecision(entry, decided));
            }
            if (was.kind() == Kind.PROPOSE && was.isAllowed()) {
                flows = flows.plus(
                        draft.limits(),
                        decided.isAllowed() ? context.usedApprovals() : List.of(),
                        was.agentKeyId(),
                        trade,
                        was.decision().checkedAt());
            }
        }
        Collections.reverse(lines);
        return lines;
    }

    /** What the examined proposals count for the flows and approvals of the draft, since the first of them. */
    private record SinceFirst(FlowCounts flows, Instant first) {

        /** Whether rows say what all limits of the draft would have been compared with. */
        boolean isKnown(Ips draft, Trade trade, DecisionRecord was) {
            return draft.limits().stream()
                    .allMatch(limit -> !isCompared(limit, trade, was) || measure(limit, trade, was) != null);
        }

        /** What a limit of the draft would have been compared with; null when no row says it. */
        @Nullable
        LimitMeasure measure(Limit limit, Trade trade, DecisionRecord was) {
            Instant at = was.decision().checkedAt();
            if (limit.isFlow()) {
                boolean isKnown = first.isBefore(at.minus(Duration.ofMinutes(
                        limit.flow().windowMinutes() + limit.flow().bucketMinutes())));
                return isKnown
                        ? LimitMeasure.flow(limit.id(), flows.of(limit.flow(), was.agentKeyId(), trade), at)
                        : null;
            }
            Usd held = was.held();
            return limit.perAsset() && held != null ? LimitMeasure.position(limit.id(), held) : null;
        }
    }

    /** Whether a limit could stop a trade: positions and losses only buys, flows only what agents ask. */
    private static boolean isCompared(Limit limit, Trade trade, DecisionRecord was) {
        return limit.holds(trade) && (limit.isFlow() ? was.kind() != Kind.ATTESTATION : trade.isBuy());
    }

    /** What a decision depends on under the draft, as far as rows say it. */
    private static EvaluationContext context(
            Trade trade, IpsVersion ips, DecisionRecord was, AccountView standing, SinceFirst before) {
        List<LimitMeasure> known = new ArrayList<>();
        for (Limit limit : ips.ips().limits()) {
            LimitMeasure measure = isCompared(limit, trade, was) ? before.measure(limit, trade, was) : null;
            if (measure != null) {
                known.add(measure);
            }
        }
        KeyPolicy policy = Optional.ofNullable(standing.keys().get(was.agentKeyId()))
                .map(key -> key.policy().withPaused(false))
                .orElse(KeyPolicy.NO_CAPS);
        ResolvedAsset asset = was.asset();
        ApprovalCounts used = was.kind() == Kind.ATTESTATION
                ? ApprovalCounts.NONE
                : before.flows().approvals();
        return new EvaluationContext(
                trade,
                asset == null ? null : asset.under(ips.ips().unknownAssets()),
                ips,
                was.decision().snapshot(),
                was.held(),
                policy,
                was.used(),
                was.decision().stale(),
                ips.ips().approvals(was.agentKeyId().value(), was.decision().checkedAt()).stream()
                        .map(used::of)
                        .toList(),
                known,
                was.decision().checkedAt());
    }

    private static boolean isOfThePolicy(DecisionRecord was) {
        return was.attestation() == null || was.attestation().isAccepted();
    }

    private static int next(@Nullable IpsVersion inForce) {
        return inForce == null ? 1 : inForce.version() + 1;
    }
}
