package dev.agentpolicy.domain.event.chain;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Signed evidence that payloads were erased on purpose (docs/reference/events.md, Erasure). A row without a payload
 * verifies only with an erasure that covers it.
 *
 * @param userId the owner of the chain
 * @param scope one row, or all rows up to one
 * @param seq the erased row; for an account the last erased row
 * @param hash hash of the row at {@code seq}, which binds the erasure to this chain
 * @param erasedAt microseconds
 * @param reason 1 to 500 characters without control characters
 * @param signingKeyId thumbprint of the event key that signed
 * @param signature base64url, 86 characters
 */
public record Erasure(
        UserId userId,
        Extent scope,
        long seq,
        String hash,
        Instant erasedAt,
        String reason,
        String signingKeyId,
        String signature) {

    public static final int MAX_REASON_LENGTH = 500;

    private static final Schema<Erasure> OF_ROW = members(Extent.ROW);
    private static final Schema<Erasure> OF_ACCOUNT = members(Extent.ACCOUNT);

    private static Schema<Erasure> members(Extent scope) {
        return Schema.of(
                row -> new Erasure(
                        row.next(), scope, row.next(), row.next(), row.next(), row.next(), row.next(), row.next()),
                required("userId", WireFields.USER_ID, Erasure::userId),
                required(scope.seqName, WireFields.seq(1), Erasure::seq),
                required("hash", WireFields.HASH, Erasure::hash),
                required("erasedAt", WireFields.INSTANT, Erasure::erasedAt),
                required("reason", WireFields.TEXT, Erasure::reason),
                required("signingKeyId", WireFields.KEY_ID, Erasure::signingKeyId),
                required("signature", WireFields.SIGNATURE, Erasure::signature));
    }

    public Erasure {
        if (seq < 1 || seq > CanonicalForm.MAX_INTEGER) {
            throw new IllegalArgumentException("An erasure names the number of a row.");
        }
        if (!Sha256.isHex(hash)) {
            throw new IllegalArgumentException("An erasure names the hash of a row.");
        }
        if (!isReason(reason)) {
            throw new IllegalArgumentException("The reason of an erasure must have 1 to " + MAX_REASON_LENGTH
                    + " characters and no control characters.");
        }
        erasedAt = Instants.truncated(erasedAt);
    }

    /** Signs the erasure of one row's payload; {@link Extent#mayErase} says which kinds allow it. */
    public static Erasure ofRow(
            UserId userId,
            long seq,
            String hash,
            Instant erasedAt,
            String reason,
            String signingKeyId,
            UnaryOperator<String> sign) {
        return new Erasure(userId, Extent.ROW, seq, hash, erasedAt, reason, signingKeyId, "").signed(sign);
    }

    /** Signs the erasure of all payloads of an account up to a row. */
    public static Erasure ofAccount(
            UserId userId,
            long throughSeq,
            String hash,
            Instant erasedAt,
            String reason,
            String signingKeyId,
            UnaryOperator<String> sign) {
        return new Erasure(userId, Extent.ACCOUNT, throughSeq, hash, erasedAt, reason, signingKeyId, "").signed(sign);
    }

    private Erasure signed(UnaryOperator<String> sign) {
        return new Erasure(userId, scope, seq, hash, erasedAt, reason, signingKeyId, sign.apply(message()));
    }

    /** Whether a text can be the reason of an erasure. */
    public static boolean isReason(String text) {
        return WireFields.isText(text);
    }

    /** The message that is signed. */
    public String message() {
        Map<String, @Nullable Object> members = (scope == Extent.ROW ? OF_ROW : OF_ACCOUNT).write(this);
        members.keySet().removeAll(Set.of("signingKeyId", "signature"));
        return "agent-policy/erasure/v1\n" + CanonicalForm.write(members);
    }

    /** Whether a key signed this before it was compromised. */
    public boolean isSignedBy(SigningKey key, SignatureCheck check) {
        Instant since = key.compromisedSince();
        boolean isBeforeTheft = !key.isCompromised() || since != null && !erasedAt.isAfter(since);
        return isBeforeTheft && hasSignatureOf(key, check);
    }

    /** Whether a key signed this, even if it was compromised by then. */
    public boolean hasSignatureOf(SigningKey key, SignatureCheck check) {
        return key.kid().equals(signingKeyId) && check.isSignedBy(key.x(), message(), signature);
    }

    /** This erasure, signed by another key. */
    public Erasure signedAnew(String newKeyId, UnaryOperator<String> sign) {
        return new Erasure(userId, scope, seq, hash, erasedAt, reason, newKeyId, "").signed(sign);
    }

    /** Whether this explains why a row has no payload. */
    public boolean covers(PolicyEvent row) {
        boolean isInReach = scope == Extent.ROW ? row.seq() == seq : row.seq() <= seq;
        boolean isOtherRow = row.seq() == seq && !row.hash().equals(hash);
        return row.userId().equals(userId) && isInReach && !isOtherRow && scope.mayErase(row.kind());
    }

    /** Appends the JSON text, with its members in the documented order. */
    public void appendJson(StringBuilder out) {
        Map<String, @Nullable Object> reasonOnly = Map.of("reason", reason);
        String reasonMember = CanonicalForm.write(reasonOnly);
        out.append("{\"userId\":\"").append(userId.value());
        out.append("\",\"").append(scope.seqName).append("\":").append(seq);
        out.append(",\"hash\":\"").append(hash);
        out.append("\",\"erasedAt\":\"");
        Instants.append(out, erasedAt);
        out.append("\",").append(reasonMember, 1, reasonMember.length() - 1);
        out.append(",\"signingKeyId\":\"").append(signingKeyId);
        out.append("\",\"signature\":\"").append(signature).append("\"}");
    }

    /** Reads an erasure as strictly as {@link RowJson#read}. */
    public static Reading<Erasure> read(Document document) {
        Extent scope = document.members().containsKey(Extent.ACCOUNT.seqName) ? Extent.ACCOUNT : Extent.ROW;
        return (scope == Extent.ROW ? OF_ROW : OF_ACCOUNT).read(document, Decimals.NUMBERS);
    }

    /** The rows that an erasure covers. */
    public enum Extent {
        /** One row, named by {@code seq}; never a row about the policy or a key. */
        ROW("seq"),
        /** A deleted account: every row up to {@code throughSeq}, except rotations of the signing key. */
        ACCOUNT("throughSeq");

        private final String seqName;

        Extent(String seqName) {
            this.seqName = seqName;
        }

        /** Whether the payload of such a row may be erased. */
        public boolean mayErase(EventKind kind) {
            return switch (kind) {
                case SIGNING_KEY_ROTATED -> false;
                case IPS_CREATED, IPS_AMENDED, KEY_MINTED, KEY_ROTATED, KEY_REVOKED -> this == ACCOUNT;
                case GUARDRAIL_DECISION, DRIFT_DETECTED, DRIFT_CLEARED, TRADE_OBSERVED -> true;
            };
        }
    }
}
