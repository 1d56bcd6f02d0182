package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The content of a {@code signing_key.rotated} row (docs/reference/events.md, Rotation): another key signs from now on.
 *
 * @param oldKeyId the key that signed so far; the row of a scheduled rotation is the last one it signs
 * @param newKeyId the new key; the row of an emergency rotation is the first one it signs
 * @param newPublicKey its 32 bytes, base64url
 * @param reason scheduled or emergency
 * @param newKeyProof signature of the new key for this place of this chain
 * @param trustedThroughSeq the last row the operator vouches for in an emergency; null when scheduled
 */
public record KeyRotation(
        String oldKeyId,
        String newKeyId,
        String newPublicKey,
        Reason reason,
        String newKeyProof,
        @Nullable Long trustedThroughSeq) {

    /** A planned rotation. The old key must sign its row. */
    public static KeyRotation scheduled(
            ChainHead head, String oldKeyId, SigningKey newKey, UnaryOperator<String> signByNewKey) {
        return new KeyRotation(
                oldKeyId,
                newKey.kid(),
                newKey.x(),
                Reason.SCHEDULED,
                signByNewKey.apply(Messages.keyProof(head.userId(), oldKeyId, newKey.kid(), head.hash())),
                null);
    }

    /** The replacement of a stolen or lost key. The new key must sign its row and be attested by a root key. */
    public static KeyRotation emergency(
            ChainHead head,
            String oldKeyId,
            SigningKey newKey,
            long trustedThroughSeq,
            UnaryOperator<String> signByNewKey) {
        return new KeyRotation(
                oldKeyId,
                newKey.kid(),
                newKey.x(),
                Reason.COMPROMISE,
                signByNewKey.apply(Messages.keyProof(head.userId(), oldKeyId, newKey.kid(), head.hash())),
                trustedThroughSeq);
    }

    /** The event to append. */
    public EventDraft draft() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("oldKeyId", oldKeyId);
        members.put("newKeyId", newKeyId);
        members.put("newPublicKey", newPublicKey);
        members.put("reason", reason.wireName());
        members.put("newKeyProof", newKeyProof);
        if (trustedThroughSeq != null) {
            members.put("trustedThroughSeq", trustedThroughSeq);
        }
        return new EventDraft(EventKind.SIGNING_KEY_ROTATED, members);
    }

    /** Reads the payload of such a row. */
    static Reading<KeyRotation> read(Document payload) {
        Fields fields = new Fields(payload, Decimals.NUMBERS);
        fields.text("salt", 1, 64);
        String oldKeyId = WireFields.keyId(fields, "oldKeyId");
        String newKeyId = WireFields.keyId(fields, "newKeyId");
        String newPublicKey = WireFields.keyId(fields, "newPublicKey");
        Reason reason = fields.word("reason", Reason.class);
        String newKeyProof = WireFields.signature(fields, "newKeyProof");
        BigDecimal trusted =
                fields.decimal("trustedThroughSeq", BigDecimal.ZERO, BigDecimal.valueOf(CanonicalForm.MAX_INTEGER), 0);
        fields.require("salt", "oldKeyId", "newKeyId", "newPublicKey", "reason", "newKeyProof");
        if (reason == Reason.COMPROMISE) {
            fields.require("trustedThroughSeq");
        }
        return fields.finish(() -> new KeyRotation(
                Fields.present(oldKeyId),
                Fields.present(newKeyId),
                Fields.present(newPublicKey),
                Fields.present(reason),
                Fields.present(newKeyProof),
                trusted == null ? null : trusted.longValueExact()));
    }

    /** The reason of a rotation. */
    public enum Reason implements Word {
        SCHEDULED,
        COMPROMISE
    }
}
