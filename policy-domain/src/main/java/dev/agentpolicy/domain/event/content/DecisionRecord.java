package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import org.jspecify.annotations.Nullable;

/**
 * A decision with everything its verdict depended on: the content of a {@code guardrail.decision} event and of the
 * audit feed, which are one.
 *
 * @param kind which call led to it
 * @param batchIndex place in the batch, null outside of one
 * @param agentKeyId the key that asked, or whose proposal was attested
 * @param trade as read, null when it could not be
 * @param asset what the asset of the trade was taken for; null without a trade, and of a decision made before this was
 *     recorded
 * @param rationale the agent's note, null when there was none
 * @param held value held of the asset, null when unknown
 * @param used what the key had used before
 * @param decision the verdict
 * @param attestation what the user said, null when an agent asked
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
        @Nullable Attestation attestation,
        @Nullable Long serviceRequestId) {

    /** Whether the policy let it through and the user, if asked, did not turn it down. */
    public boolean isAllowed() {
        return decision.isAllowed() && (attestation == null || attestation.isAccepted());
    }

    public String reason() {
        return attestation == null || attestation.isAccepted() ? decision.reason() : attestation.words();
    }

    public Actor actor() {
        return attestation == null ? Actor.AGENT : Actor.USER;
    }

    /** Which call led to a decision. */
    public enum Kind {
        VALIDATE("validate"),
        VALIDATE_BATCH("validate-batch"),
        PROPOSE("propose"),
        ATTESTATION("attestation");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** The kind as the log writes it. */
        public String wireName() {
            return wireName;
        }

        /** The kind as the audit feed shows it, where a batch is so many validations. */
        public String auditName() {
            return this == VALIDATE_BATCH ? VALIDATE.wireName : wireName;
        }
    }

    /** Who decided to ask. */
    public enum Actor {
        AGENT("agent"),
        USER("user");

        private final String wireName;

        Actor(String wireName) {
            this.wireName = wireName;
        }

        /** The actor as the log writes it. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * What the user said about a request.
     *
     * @param isAccepted yes or no
     * @param reason the user's own words, null when none were given
     */
    public record Attestation(boolean isAccepted, @Nullable String reason) {
        String words() {
            String verb = isAccepted ? "Accepted" : "Rejected";
            return verb + " by the user" + (reason == null ? "" : ": " + reason);
        }
    }
}
