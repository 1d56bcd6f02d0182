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
 * The service's word that a chain ended so at a moment (docs/reference/events.md, The head). Who keeps it can prove
 * later that rows were cut off or rolled back.
 *
 * @param userId whose chain
 * @param seq of the last row, 0 for an empty chain
 * @param hash of the last row, 64 zeros for an empty chain
 * @param issuedAt microseconds
 * @param signingKeyId thumbprint of the key that signed
 * @param signature base64url, 86 characters
 */
public record SignedHead(
        UserId userId, long seq, String hash, Instant issuedAt, String signingKeyId, String signature) {

    /** Signs where a chain ends now. */
    public static SignedHead issue(ChainHead head, Instant now, String signingKeyId, UnaryOperator<String> sign) {
        Instant issuedAt = Instants.truncated(now);
        String message = Messages.head(head.userId(), head.seq(), head.hash(), issuedAt, signingKeyId);
        return new SignedHead(head.userId(), head.seq(), head.hash(), issuedAt, signingKeyId, sign.apply(message));
    }

    /** What is signed. */
    public String message() {
        return Messages.head(userId, seq, hash, issuedAt, signingKeyId);
    }

    /** Appends the JSON text of the head, members in the order of the documentation. */
    public void appendJson(StringBuilder out) {
        out.append("{\"v\":1,\"userId\":\"").append(userId.value());
        out.append("\",\"seq\":").append(seq);
        out.append(",\"hash\":\"").append(hash);
        out.append("\",\"issuedAt\":\"");
        Instants.append(out, issuedAt);
        out.append("\",\"signingKeyId\":\"").append(signingKeyId);
        out.append("\",\"signature\":\"").append(signature).append("\"}");
    }

    /** Reads a head someone hands us, as strictly as {@link RowJson#read}. */
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
