package dev.agentpolicy.domain.request;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;
import static dev.agentpolicy.domain.document.Schema.unlessEmpty;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trade that an agent proposed and the policy allowed; it never changes.
 *
 * @param id unique across users; negative in the sandbox
 * @param userId the user whose money is traded
 * @param agentKeyId the key of the agent
 * @param agentName the name of the key at that time
 * @param trade the proposed trade
 * @param asset what the symbol of the trade was resolved to; null for a proposal stored before symbols were resolved
 * @param rationale the agent's note to the user; null when it gave none
 * @param decision the decision that allowed it
 * @param approvals without which a standing rule would have blocked it; they stay valid for this proposal
 * @param createdAt when it was proposed
 * @param expiresAt when it expires if the user does not resolve it
 * @param receipt of the decision in the log; null until it is recorded, and for a proposal that was stored before
 *     receipts were
 */
public record Proposal(
        long id,
        UserId userId,
        AgentKeyId agentKeyId,
        String agentName,
        Trade trade,
        @Nullable ResolvedAsset asset,
        @Nullable String rationale,
        Decision decision,
        List<Approval> approvals,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Receipt receipt) {
    public static final int MAX_RATIONALE = 500;

    /** The members of a proposal in a stored request. */
    static final Schema<Proposal> STORED = Schema.of(
            row -> new Proposal(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.nextOr(List.of()),
                    row.next(),
                    row.next(),
                    receipt(row.next(), row.next())),
            required("id", Codec.LONG, Proposal::id),
            required("userId", Codec.ID.as(UserId::new, UserId::value), Proposal::userId),
            required("agentKeyId", Codec.ID.as(AgentKeyId::new, AgentKeyId::value), Proposal::agentKeyId),
            required("agentName", Codec.TEXT, Proposal::agentName),
            required("trade", TradePayload.SIGNED, Proposal::trade),
            optional("asset", Codec.object(ResolvedAsset.SCHEMA), Proposal::asset),
            nullable("rationale", Codec.TEXT, Proposal::rationale),
            required("decision", Codec.object(DecisionDocument.SCHEMA), Proposal::decision),
            unlessEmpty("approvals", Codec.list(Approval.SCHEMA), Proposal::approvals),
            required("createdAt", Codec.INSTANT, Proposal::createdAt),
            required("expiresAt", Codec.INSTANT, Proposal::expiresAt),
            optional("eventSeq", Codec.LONG, it -> it.receipt == null ? null : it.receipt.seq()),
            optional("eventHash", Codec.TEXT, it -> it.receipt == null ? null : it.receipt.hash()));

    public Proposal {
        approvals = List.copyOf(approvals);
    }

    private static @Nullable Receipt receipt(@Nullable Long seq, @Nullable String hash) {
        return seq == null || hash == null ? null : new Receipt(seq, hash);
    }

    /** The trade as it was sent, to resolve its symbol again when the user accepts. */
    public SentTrade sent() {
        return asset == null ? SentTrade.of(trade) : new SentTrade(trade, asset.sent());
    }

    /** The same proposal with its receipt. */
    Proposal withReceipt(Receipt placed) {
        return new Proposal(
                id,
                userId,
                agentKeyId,
                agentName,
                trade,
                asset,
                rationale,
                decision,
                approvals,
                createdAt,
                expiresAt,
                placed);
    }
}
