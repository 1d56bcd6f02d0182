package dev.agentpolicy.domain.event.content;

import static dev.agentpolicy.domain.document.Schema.derived;
import static dev.agentpolicy.domain.document.Schema.inline;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;
import static dev.agentpolicy.domain.document.Schema.unlessEmpty;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.AttestedRequest.SignedAcceptance;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalCount;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.TradePayload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The payload of a {@code guardrail.decision} event (docs/reference/events.md). */
public final class DecisionPayload {
    private static final String ACTOR = "actor";
    private static final String AGENT_KEY_ID = "agentKeyId";
    private static final String ALLOWED = "allowed";

    private static final Schema<DecisionRecord> SCHEMA = Schema.of(
            row -> new DecisionRecord(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.nextOr(List.of()),
                    row.nextOr(List.of()),
                    row.nextOr(List.of()),
                    row.next(),
                    row.next()),
            required("kind", Codec.word(Kind.class), DecisionRecord::kind),
            nullable("batchIndex", Codec.INTEGER, DecisionRecord::batchIndex),
            required(AGENT_KEY_ID, Codec.ID.as(AgentKeyId::new, AgentKeyId::value), DecisionRecord::agentKeyId),
            nullable("trade", TradePayload.SIGNED, DecisionRecord::trade),
            optional("asset", Codec.object(ResolvedAsset.SCHEMA), DecisionRecord::asset),
            nullable("rationale", Codec.TEXT, DecisionRecord::rationale),
            nullable("heldUsd", Usd.CODEC, DecisionRecord::held),
            required("used", Codec.object(CapUsage.SCHEMA), DecisionRecord::used),
            inline(DecisionDocument.SCHEMA, DecisionRecord::decision),
            // Absent in decisions that needed none, as in those recorded before this member existed.
            unlessEmpty("approvals", Codec.list(Approval.SCHEMA), DecisionRecord::approvals),
            // Absent where none counts, as in those recorded before this member existed.
            unlessEmpty("approvalCounts", Codec.list(ApprovalCount.SCHEMA), DecisionRecord::approvalCounts),
            // Absent where no limit was compared, as in those recorded before this member existed.
            unlessEmpty("limits", Codec.list(LimitMeasure.SCHEMA), DecisionRecord::limits),
            nullable(
                    "attestation",
                    Codec.object(signed -> readAttestation(new Stored(signed)), DecisionPayload::attestation),
                    DecisionRecord::attestation),
            nullable("serviceRequestId", Codec.LONG, DecisionRecord::serviceRequestId),
            derived(ACTOR, Codec.word(Actor.class), DecisionRecord::actor),
            // In place of the members of the decision: the user may have rejected what it allowed.
            derived(ALLOWED, Codec.TRUTH, DecisionRecord::isAllowed),
            derived("reason", Codec.TEXT, DecisionRecord::reason));

    private DecisionPayload() {}

    /** The event that records a decision. */
    public static EventDraft draft(DecisionRecord it) {
        return new EventDraft(EventKind.GUARDRAIL_DECISION, SCHEMA.write(it));
    }

    /** The agent key of a decision, by which the audit feed is filtered; null for other events. */
    public static @Nullable UUID agentKeyId(EventDraft draft) {
        Object id =
                draft.kind() == EventKind.GUARDRAIL_DECISION ? draft.payload().get(AGENT_KEY_ID) : null;
        return id == null ? null : UUID.fromString((String) id);
    }

    /** Whether a draft records a decision that an agent asked for, not one of the user. */
    public static boolean isOfAgent(EventDraft draft) {
        return draft.kind() == EventKind.GUARDRAIL_DECISION
                && Actor.AGENT.wireName().equals(draft.payload().get(ACTOR));
    }

    /** The verdict of a decision, by which the audit feed is filtered; null for other events. */
    public static @Nullable Boolean allowed(EventDraft draft) {
        return draft.kind() == EventKind.GUARDRAIL_DECISION
                ? (Boolean) draft.payload().get(ALLOWED)
                : null;
    }

    /**
     * Reads the decision from a payload.
     *
     * @throws IllegalStateException when this service did not write the payload
     */
    public static DecisionRecord read(Document payload) {
        return SCHEMA.readStored(payload);
    }

    private static Map<String, @Nullable Object> attestation(Attestation attestation) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("accepted", attestation.isAccepted());
        members.put("reason", attestation.reason());
        SignedAcceptance signed = attestation.signed();
        if (signed != null) {
            // Absent in answers without a signature, as in those recorded before these members existed.
            members.put("attested", signed.attested().document());
            members.put("passkey", PasskeyAssertion.SCHEMA.write(signed.assertion()));
        }
        return members;
    }

    private static Attestation readAttestation(Stored stored) {
        Map<String, @Nullable Object> members = stored.document().members();
        SignedAcceptance signed = members.containsKey("attested") || members.containsKey("passkey")
                ? new SignedAcceptance(
                        AttestedRequest.readStored(stored.object("attested").document()),
                        PasskeyAssertion.SCHEMA.readWhole(
                                stored.object("passkey").document()))
                : null;
        return new Attestation(stored.truth("accepted"), stored.textOrNull("reason"), signed);
    }
}
