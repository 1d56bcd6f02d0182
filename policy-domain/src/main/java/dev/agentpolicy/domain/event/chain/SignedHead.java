package dev.agentpolicy.domain.event.chain;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.event.canonical.WireFields;
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

    private static final Schema<SignedHead> MEMBERS = Schema.of(
            row -> {
                row.next();
                return new SignedHead(row.next(), row.next(), row.next(), row.next(), row.next(), row.next());
            },
            required("v", Codec.integer(1, 1), head -> 1),
            required("userId", WireFields.USER_ID, SignedHead::userId),
            required("seq", WireFields.seq(0), SignedHead::seq),
            required("hash", WireFields.HASH, SignedHead::hash),
            required("issuedAt", WireFields.INSTANT, SignedHead::issuedAt),
            required("signingKeyId", WireFields.KEY_ID, SignedHead::signingKeyId),
            required("signature", WireFields.SIGNATURE, SignedHead::signature));

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
        return MEMBERS.read(document, Decimals.NUMBERS);
    }
}
