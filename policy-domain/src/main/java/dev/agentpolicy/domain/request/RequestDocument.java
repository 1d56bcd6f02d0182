package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.ResolvedAssetDocument;
import dev.agentpolicy.domain.trade.TradePayload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes and reads requests as they are stored; decimals are text. */
public final class RequestDocument {

    private RequestDocument() {}

    /** The members of a request. */
    public static Map<String, @Nullable Object> toStored(ServiceRequest request) {
        Map<String, @Nullable Object> members = proposal(request.proposal());
        members.put("status", request.status().wireName());
        members.putAll(request.fold(RequestDocument::pending, RequestDocument::completed, RequestDocument::rejected));
        return members;
    }

    /** Reads what {@link #toStored} wrote. */
    public static ServiceRequest readStored(Stored stored) {
        Proposal proposal = readProposal(stored);
        return switch (stored.word("status", RequestStatus.class)) {
            case PENDING ->
                new Pending(
                        proposal,
                        stored.objectOrNull("order", OrderAttemptDocument::readStored),
                        Math.toIntExact(stored.integer("attempts")),
                        stored.textOrNull("executionError"),
                        stored.objectOrNull("ended", OrderAttemptDocument::readStored));
            case COMPLETED ->
                new Completed(
                        proposal,
                        OrderAttemptDocument.readStored(stored.object("order")),
                        stored.instant("resolvedAt"));
            case REJECTED ->
                new Rejected(
                        proposal,
                        stored.textOrNull("reason"),
                        stored.instant("resolvedAt"),
                        Math.toIntExact(stored.integer("attempts")),
                        stored.objectOrNull("ended", OrderAttemptDocument::readStored));
        };
    }

    private static Map<String, @Nullable Object> proposal(Proposal proposal) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", proposal.id());
        members.put("userId", proposal.userId().toString());
        members.put("agentKeyId", proposal.agentKeyId().toString());
        members.put("agentName", proposal.agentName());
        members.put("trade", TradePayload.toSigned(proposal.trade()));
        ResolvedAsset asset = proposal.asset();
        if (asset != null) {
            members.put("asset", ResolvedAssetDocument.toSigned(asset));
        }
        members.put("rationale", proposal.rationale());
        members.put("decision", DecisionDocument.toSigned(proposal.decision()));
        if (!proposal.approvals().isEmpty()) {
            members.put(
                    "approvals",
                    proposal.approvals().stream().map(Approval.SCHEMA::write).toList());
        }
        members.put("createdAt", Instants.format(proposal.createdAt()));
        members.put("expiresAt", Instants.format(proposal.expiresAt()));
        Receipt receipt = proposal.receipt();
        if (receipt != null) {
            members.put("eventSeq", receipt.seq());
            members.put("eventHash", receipt.hash());
        }
        return members;
    }

    private static Proposal readProposal(Stored stored) {
        return new Proposal(
                stored.integer("id"),
                new UserId(UUID.fromString(stored.text("userId"))),
                new AgentKeyId(UUID.fromString(stored.text("agentKeyId"))),
                stored.text("agentName"),
                TradePayload.readSigned(stored.object("trade").document()).orElseThrow(),
                stored.objectOrNull("asset", ResolvedAssetDocument::read),
                stored.textOrNull("rationale"),
                DecisionDocument.read(stored.object("decision")),
                stored.has("approvals")
                        ? stored.objects("approvals", approval -> Approval.SCHEMA.readSigned(approval.document()))
                        : List.of(),
                stored.instant("createdAt"),
                stored.instant("expiresAt"),
                stored.has("eventSeq") ? new Receipt(stored.integer("eventSeq"), stored.text("eventHash")) : null);
    }

    private static Map<String, @Nullable Object> pending(Pending pending) {
        OrderAttempt order = pending.order();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("order", order == null ? null : OrderAttemptDocument.toStored(order));
        members.put("attempts", pending.attempts());
        members.put("executionError", pending.executionError());
        putEnded(members, pending.ended());
        return members;
    }

    private static Map<String, @Nullable Object> completed(Completed completed) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("order", OrderAttemptDocument.toStored(completed.order()));
        members.put("resolvedAt", Instants.format(completed.at()));
        return members;
    }

    private static Map<String, @Nullable Object> rejected(Rejected rejected) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("reason", rejected.reason());
        members.put("resolvedAt", Instants.format(rejected.at()));
        members.put("attempts", rejected.attempts());
        putEnded(members, rejected.ended());
        return members;
    }

    private static void putEnded(Map<String, @Nullable Object> members, @Nullable OrderAttempt ended) {
        if (ended != null) {
            members.put("ended", OrderAttemptDocument.toStored(ended));
        }
    }
}
