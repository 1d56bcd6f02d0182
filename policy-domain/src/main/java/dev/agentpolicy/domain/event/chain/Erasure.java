package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.PlainText;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
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
        int length = text.codePointCount(0, text.length());
        return length >= 1 && length <= MAX_REASON_LENGTH && PlainText.isPlain(text);
    }

    /** The message that is signed. */
    public String message() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("userId", userId.toString());
        members.put(scope.seqName, seq);
        members.put("hash", hash);
        members.put("erasedAt", Instants.format(erasedAt));
        members.put("reason", reason);
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
        Fields fields = new Fields(document, Decimals.NUMBERS);
        Extent scope = document.members().containsKey(Extent.ACCOUNT.seqName) ? Extent.ACCOUNT : Extent.ROW;
        UserId userId = WireFields.userId(fields);
        BigDecimal seq =
                fields.decimal(scope.seqName, BigDecimal.ONE, BigDecimal.valueOf(CanonicalForm.MAX_INTEGER), 0);
        String hash = WireFields.hash(fields, "hash");
        Instant erasedAt = WireFields.instant(fields, "erasedAt");
        String reason = fields.meaning(
                "reason",
                "must have 1 to " + MAX_REASON_LENGTH + " characters and no control characters",
                text -> isReason(text) ? text : null);
        String keyId = WireFields.keyId(fields, "signingKeyId");
        String signature = WireFields.signature(fields, "signature");
        fields.require("userId", scope.seqName, "hash", "erasedAt", "reason", "signingKeyId", "signature");
        return fields.finish(() -> new Erasure(
                Fields.present(userId),
                scope,
                Fields.present(seq).longValueExact(),
                Fields.present(hash),
                Fields.present(erasedAt),
                Fields.present(reason),
                Fields.present(keyId),
                Fields.present(signature)));
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
