package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import java.util.ArrayList;
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
     * trades that could not be read and rejections by the user.
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
                                        : spelled.withApprovals(spelled.approvalsAfter(inForce.ips())),
                                standing)),
                        problems -> Answer.refused(Refusal.invalid(problems)));
    }

    private List<PreviewedDecision> lines(UserId user, Ips draft, AccountView standing) {
        IpsVersion ips =
                new IpsVersion(next(standing.ips()), draft, standing.head().createdAt());
        List<PreviewedDecision> lines = new ArrayList<>();
        for (ReadAudit.AuditEntry entry : audit.read(user, AuditQuery.latest(MAX_DECISIONS))) {
            Trade trade = entry.decision().trade();
            if (trade != null && isOfThePolicy(entry.decision())) {
                lines.add(new PreviewedDecision(entry, decide(trade, ips, entry.decision(), standing)));
            }
        }
        return lines;
    }

    private static Decision decide(Trade trade, IpsVersion ips, DecisionRecord was, AccountView standing) {
        KeyPolicy policy = Optional.ofNullable(standing.keys().get(was.agentKeyId()))
                .map(key -> key.policy().withPaused(false))
                .orElse(KeyPolicy.NO_CAPS);
        ResolvedAsset asset = was.asset();
        return Evaluator.decide(new EvaluationContext(
                trade,
                asset == null ? null : asset.under(ips.ips().unknownAssets()),
                ips,
                was.decision().snapshot(),
                was.held(),
                policy,
                was.used(),
                was.decision().stale(),
                ips.ips().approvals(was.agentKeyId().value(), was.decision().checkedAt()),
                was.decision().checkedAt()));
    }

    private static boolean isOfThePolicy(DecisionRecord was) {
        return was.attestation() == null || was.attestation().isAccepted();
    }

    private static int next(@Nullable IpsVersion inForce) {
        return inForce == null ? 1 : inForce.version() + 1;
    }
}
