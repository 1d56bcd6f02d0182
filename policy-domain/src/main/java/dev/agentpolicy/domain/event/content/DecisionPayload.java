package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.SignedAcceptance;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.ResolvedAssetDocument;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
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

    private DecisionPayload() {}

    /** The event that records a decision. */
    public static EventDraft draft(DecisionRecord it) {
        Trade trade = it.trade();
        ResolvedAsset asset = it.asset();
        Usd held = it.held();
        Attestation attestation = it.attestation();
        Map<String, @Nullable Object> members = DecisionDocument.SCHEMA.write(it.decision());
        members.put("kind", it.kind().wireName());
        members.put("batchIndex", it.batchIndex());
        members.put(ACTOR, it.actor().wireName());
        members.put(AGENT_KEY_ID, it.agentKeyId().toString());
        members.put("trade", trade == null ? null : TradePayload.toSigned(trade));
        if (asset != null) {
            members.put("asset", ResolvedAssetDocument.toSigned(asset));
        }
        members.put("rationale", it.rationale());
        members.put("heldUsd", held == null ? null : Decimals.text(held.value()));
        members.put("used", CapUsage.SCHEMA.write(it.used()));
        members.put(ALLOWED, it.isAllowed());
        members.put("reason", it.reason());
        if (!it.approvals().isEmpty()) {
            // Absent in decisions that needed none, as in those recorded before this member existed.
            members.put(
                    "approvals",
                    it.approvals().stream().map(Approval.SCHEMA::write).toList());
        }
        members.put("attestation", attestation == null ? null : attestation(attestation));
        members.put("serviceRequestId", it.serviceRequestId());
        return new EventDraft(EventKind.GUARDRAIL_DECISION, members);
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
        Stored stored = new Stored(payload);
        BigDecimal held = stored.decimalOrNull("heldUsd");
        return new DecisionRecord(
                stored.word("kind", Kind.class),
                stored.integerOrNull("batchIndex"),
                new AgentKeyId(UUID.fromString(stored.text(AGENT_KEY_ID))),
                stored.objectOrNull(
                        "trade",
                        trade -> TradePayload.readSigned(trade.document()).orElseThrow()),
                stored.objectOrNull("asset", ResolvedAssetDocument::read),
                stored.textOrNull("rationale"),
                held == null ? null : new Usd(held),
                CapUsage.SCHEMA.readStored(stored.object("used").document()),
                DecisionDocument.SCHEMA.readStored(payload),
                approvals(stored),
                stored.objectOrNull("attestation", DecisionPayload::readAttestation),
                stored.longOrNull("serviceRequestId"));
    }

    private static List<Approval> approvals(Stored stored) {
        return stored.has("approvals")
                ? stored.objects("approvals", approval -> Approval.SCHEMA.readSigned(approval.document()))
                : List.of();
    }

    private static Map<String, @Nullable Object> attestation(Attestation attestation) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("accepted", attestation.isAccepted());
        members.put("reason", attestation.reason());
        SignedAcceptance signed = attestation.signed();
        if (signed != null) {
            // Absent in answers without a signature, as in those recorded before these members existed.
            members.put("attested", signed.attested().toSigned());
            members.put("passkey", signed.assertion().toSigned());
        }
        return members;
    }

    private static Attestation readAttestation(Stored stored) {
        Map<String, @Nullable Object> members = stored.document().members();
        SignedAcceptance signed = members.containsKey("attested") || members.containsKey("passkey")
                ? new SignedAcceptance(
                        AttestedRequest.readSigned(stored.object("attested")),
                        PasskeyAssertion.readSigned(stored.object("passkey")))
                : null;
        return new Attestation(stored.truth("accepted"), stored.textOrNull("reason"), signed);
    }
}
