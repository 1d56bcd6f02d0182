package dev.agentpolicy.domain.event.chain;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.signing.SigningKey;
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

    /** The salt of a row is not that of a rotation, so it is only read. */
    private static final Schema<KeyRotation> MEMBERS = Schema.of(
            row -> {
                row.next();
                return new KeyRotation(row.next(), row.next(), row.next(), row.next(), row.next(), row.next());
            },
            required("salt", WireFields.TEXT, rotation -> null),
            required("oldKeyId", WireFields.KEY_ID, KeyRotation::oldKeyId),
            required("newKeyId", WireFields.KEY_ID, KeyRotation::newKeyId),
            required("newPublicKey", WireFields.KEY_ID, KeyRotation::newPublicKey),
            required("reason", Codec.word(Reason.class), KeyRotation::reason),
            required("newKeyProof", WireFields.SIGNATURE, KeyRotation::newKeyProof),
            optional("trustedThroughSeq", WireFields.seq(0), KeyRotation::trustedThroughSeq));

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
        return new EventDraft(EventKind.SIGNING_KEY_ROTATED, MEMBERS.write(this));
    }

    /** Reads the payload of such a row. */
    static Reading<KeyRotation> read(Document payload) {
        Fields fields = new Fields(payload, Decimals.NUMBERS);
        KeyRotation read = MEMBERS.read(fields);
        if (read != null && read.reason == Reason.COMPROMISE) {
            fields.require("trustedThroughSeq");
        }
        return fields.finish(() -> Fields.present(read));
    }

    /** The reason of a rotation. */
    public enum Reason implements Word {
        SCHEDULED,
        COMPROMISE
    }
}
