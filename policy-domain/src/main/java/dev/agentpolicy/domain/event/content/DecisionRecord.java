package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.event.passkey.AttestedRequest.SignedAcceptance;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalCount;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision with everything its verdict depends on: the content of a {@code guardrail.decision} event and of an entry
 * of the audit feed.
 *
 * @param kind the call that led to it
 * @param batchIndex its index in the batch, null outside of a batch
 * @param agentKeyId the key that asked, or the key whose proposal the user attested
 * @param trade null when it could not be read
 * @param asset the resolved asset; null without a trade, and in decisions recorded before assets were resolved
 * @param rationale the agent's note, null when there is none
 * @param held value held of the asset, null when unknown
 * @param used what the key had used before
 * @param decision the verdict
 * @param approvals without which a standing rule or limit would have blocked the trade
 * @param approvalCounts what was used of the approvals that could cover the trade, in the order of the statement; not
 *     when the user answers
 * @param limits what the limits were compared with, in the order of the statement
 * @param attestation the answer of the user, null when an agent asked
 * @param serviceRequestId the request created or attested, null when there is none
 */
public record DecisionRecord(
        Kind kind,
        @Nullable Integer batchIndex,
        AgentKeyId agentKeyId,
        @Nullable Trade trade,
        @Nullable ResolvedAsset asset,
        @Nullable String rationale,
        @Nullable Usd held,
        CapUsage used,
        Decision decision,
        List<Approval> approvals,
        List<ApprovalCount> approvalCounts,
        List<LimitMeasure> limits,
        @Nullable Attestation attestation,
        @Nullable Long serviceRequestId) {

    public DecisionRecord {
        approvalCounts = List.copyOf(approvalCounts);
        approvals = List.copyOf(approvals);
        limits = List.copyOf(limits);
    }

    /** Whether the policy allows the trade and the user, if asked, accepted it. */
    public boolean isAllowed() {
        return decision.isAllowed() && (attestation == null || attestation.isAccepted());
    }

    public String reason() {
        return attestation == null || attestation.isAccepted() ? decision.reason() : attestation.words();
    }

    public Actor actor() {
        return attestation == null ? Actor.AGENT : Actor.USER;
    }

    /** The call that led to a decision. */
    public enum Kind implements Word {
        VALIDATE,
        VALIDATE_BATCH,
        PROPOSE,
        ATTESTATION;

        @Override
        public String wireName() {
            return this == VALIDATE_BATCH ? "validate-batch" : Word.super.wireName();
        }

        /** The kind in the audit feed, which shows the items of a batch as single validations. */
        public String auditName() {
            return (this == VALIDATE_BATCH ? VALIDATE : this).wireName();
        }
    }

    /** Who asked for a decision. */
    public enum Actor implements Word {
        AGENT,
        USER
    }

    /**
     * The answer of the user to a request.
     *
     * @param isAccepted whether the user accepted
     * @param reason the user's own words, null when none were given
     * @param signed the signature of the user's passkey; null when there is none
     */
    public record Attestation(
            boolean isAccepted,
            @Nullable String reason,
            @Nullable SignedAcceptance signed) {

        /** An answer without a signature. */
        public Attestation(boolean isAccepted, @Nullable String reason) {
            this(isAccepted, reason, null);
        }

        String words() {
            String verb = isAccepted ? "Accepted" : "Rejected";
            return verb + " by the user" + (reason == null ? "" : ": " + reason);
        }
    }
}
