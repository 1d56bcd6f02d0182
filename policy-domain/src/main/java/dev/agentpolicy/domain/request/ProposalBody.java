package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a proposal (specification, TradePayload).
 *
 * @param sent the proposed trade
 * @param rationale a note to the user, whose lines are separated by U+2028; null when there is none
 */
public record ProposalBody(SentTrade sent, @Nullable String rationale) {

    /** Reads what an agent sent, or lists everything that is wrong with it. */
    public static Reading<ProposalBody> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Supplier<SentTrade> trade = TradePayload.sent(fields, sent);
        String rationale = fields.plainLines("rationale", 0, Proposal.MAX_RATIONALE);
        return fields.finish(() -> new ProposalBody(trade.get(), rationale));
    }

    /** SHA-256 of the meaning of the body: equal for two bodies that differ only in their notation. */
    public String hash() {
        return Sha256.hex(TradePayload.toSigned(sent.trade()) + (rationale == null ? "" : "\n" + rationale));
    }
}
