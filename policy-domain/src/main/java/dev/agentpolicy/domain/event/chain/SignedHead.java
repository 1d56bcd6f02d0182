package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.WireFields;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * A signed statement of where a chain ended at a time (docs/reference/events.md, The page and its head). A saved head
 * proves later that rows were removed or replaced.
 *
 * @param userId the owner of the chain
 * @param seq of the last row, 0 for an empty chain
 * @param hash of the last row, 64 zeros for an empty chain
 * @param issuedAt in microseconds
 * @param signingKeyId thumbprint of the key that signed
 * @param signature base64url, 86 characters
 */
public record SignedHead(
        UserId userId, long seq, String hash, Instant issuedAt, String signingKeyId, String signature) {

    /** Signs the end of a chain. */
    public static SignedHead issue(ChainHead head, Instant now, String signingKeyId, UnaryOperator<String> sign) {
        Instant issuedAt = Instants.truncated(now);
        String message = Messages.head(head.userId(), head.seq(), head.hash(), issuedAt, signingKeyId);
        return new SignedHead(head.userId(), head.seq(), head.hash(), issuedAt, signingKeyId, sign.apply(message));
    }

    /** The message that is signed. */
    public String message() {
        return Messages.head(userId, seq, hash, issuedAt, signingKeyId);
    }

    /** Appends the JSON text, with its members in the documented order. */
    public void appendJson(StringBuilder out) {
        out.append("{\"v\":1,\"userId\":\"").append(userId.value());
        out.append("\",\"seq\":").append(seq);
        out.append(",\"hash\":\"").append(hash);
        out.append("\",\"issuedAt\":\"");
        Instants.append(out, issuedAt);
        out.append("\",\"signingKeyId\":\"").append(signingKeyId);
        out.append("\",\"signature\":\"").append(signature).append("\"}");
    }

    /** Reads a head as strictly as {@link RowJson#read}. */
    public static Reading<SignedHead> read(Document document) {
        Fields fields = new Fields(document, Decimals.NUMBERS);
        fields.integer("v", 1, 1);
        UserId userId = WireFields.userId(fields);
        BigDecimal seq = WireFields.seq(fields, BigDecimal.ZERO);
        String hash = WireFields.hash(fields, "hash");
        Instant issuedAt = WireFields.instant(fields, "issuedAt");
        String keyId = WireFields.keyId(fields, "signingKeyId");
        String signature = WireFields.signature(fields, "signature");
        fields.require("v", "userId", "seq", "hash", "issuedAt", "signingKeyId", "signature");
        return fields.finish(() -> new SignedHead(
                Fields.present(userId),
                Fields.present(seq).longValueExact(),
                Fields.present(hash),
                Fields.present(issuedAt),
                Fields.present(keyId),
                Fields.present(signature)));
    }
}
