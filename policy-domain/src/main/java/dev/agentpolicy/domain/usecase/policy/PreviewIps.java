package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

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
     * @param id of the event that records the past decision
     * @param was the past decision
     * @param preview the decision under the draft, with everything else unchanged
     */
    public record PreviewedDecision(UUID id, DecisionRecord was, Decision preview) {

        public boolean isDifferent() {
            return was.decision().isAllowed() != preview.isAllowed();
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
        return DraftReplay.spelled(amendment, standing)
                .fold(
                        draft -> Answer.given(lines(user, draft, standing)),
                        problems -> Answer.refused(Refusal.invalid(problems)));
    }

    private List<PreviewedDecision> lines(UserId user, Ips draft, AccountView standing) {
        List<ReadAudit.AuditEntry> entries = new ArrayList<>(audit.read(user, AuditQuery.latest(MAX_DECISIONS)));
        Collections.reverse(entries);
        boolean isAll = entries.size() < MAX_DECISIONS;
        Instant first =
                isAll ? Instant.EPOCH : entries.get(0).decision().decision().checkedAt();
        DraftReplay replay = new DraftReplay(accounts, user, standing, draft, first);
        List<PreviewedDecision> lines = new ArrayList<>();
        for (ReadAudit.AuditEntry entry : entries) {
            DecisionRecord was = entry.decision();
            if (was.trade() != null && isOfThePolicy(was)) {
                replay.decide(was)
                        .ifPresent(decided ->
                                lines.add(new PreviewedDecision(entry.event().eventId(), was, decided)));
            }
        }
        Collections.reverse(lines);
        return lines;
    }

    private static boolean isOfThePolicy(DecisionRecord was) {
        return was.attestation() == null || was.attestation().isAccepted();
    }
}
