package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Checks that the expected key signed a row, and finds the key that must sign the next one. */
final class SignerCheck {
    private final SigningKeys keys;
    private final SignatureCheck check;

    SignerCheck(SigningKeys keys, SignatureCheck check) {
        this.keys = keys;
        this.check = check;
    }

    ChainVerdict row(ChainPoint point, PolicyEvent row) {
        if (row.kind() == EventKind.SIGNING_KEY_ROTATED) {
            return rotation(point, row);
        }
        String expected = point.signingKeyId() == null ? row.signingKeyId() : point.signingKeyId();
        String wrong = signature(row, expected);
        return wrong != null ? broken(row, wrong) : reached(point, row, expected, doubt(point, row));
    }

    private ChainVerdict rotation(ChainPoint point, PolicyEvent row) {
        if (row.payload() == null) {
            return broken(row, "The payload of a key rotation must not be erased.");
        }
        Reading<KeyRotation> payload = KeyRotation.read(CanonicalForm.read(row.payload()));
        return payload.fold(
                rotation -> rotation(point, row, rotation),
                problems -> broken(
                        row, "The key rotation is malformed: " + problems.get(0).message()));
    }

    private ChainVerdict rotation(ChainPoint point, PolicyEvent row, KeyRotation rotation) {
        boolean isEmergency = rotation.reason() == KeyRotation.Reason.COMPROMISE;
        String wrong = successor(point, row, rotation);
        if (wrong == null && isEmergency) {
            wrong = emergency(rotation);
        }
        if (wrong == null) {
            wrong = signature(row, isEmergency ? rotation.newKeyId() : rotation.oldKeyId());
        }
        if (wrong != null) {
            return broken(row, wrong);
        }
        Long trusted = rotation.trustedThroughSeq();
        if (isEmergency && trusted != null && trusted < point.seq()) {
            return new ChainVerdict.Broken(
                    trusted + 1, "The operator does not vouch for this row of a compromised key.");
        }
        return reached(point, row, rotation.newKeyId(), isEmergency ? 0 : doubtAfter(point, row, rotation));
    }

    private @Nullable String successor(ChainPoint point, PolicyEvent row, KeyRotation rotation) {
        String current = point.signingKeyId() == null ? rotation.oldKeyId() : point.signingKeyId();
        if (!rotation.oldKeyId().equals(current)) {
            return "The key rotation is not from the key that signed so far.";
        }
        SigningKey successor = keys.signer(rotation.newKeyId()).orElse(null);
        if (successor == null || !successor.x().equals(rotation.newPublicKey())) {
            return "The new key is not in the manifest for this kind of chain.";
        }
        String proof = Messages.keyProof(row.userId(), current, rotation.newKeyId(), row.prevHash());
        boolean proven = check.isSignedBy(successor.x(), proof, rotation.newKeyProof());
        return proven ? null : "The new key is not proven to be in the hands of the service.";
    }

    private @Nullable String emergency(KeyRotation rotation) {
        if (!keys.isTrustingRoot()) {
            return "The key rotation is an emergency, and no root key was given to vouch for it.";
        }
        boolean attested = keys.signer(rotation.newKeyId())
                .filter(key -> !key.isCompromised() && keys.isAttestedByRoot(key, check))
                .isPresent();
        return attested ? null : "The new key of an emergency is not attested by the root key that was given.";
    }

    private @Nullable String signature(PolicyEvent row, String expectedKeyId) {
        if (!row.signingKeyId().equals(expectedKeyId)) {
            return "The row is signed by another key than the chain expects.";
        }
        SigningKey signer = keys.signer(expectedKeyId).orElse(null);
        if (signer == null) {
            return "The key that signed is not in the manifest for this kind of chain.";
        }
        boolean signed = check.isSignedBy(signer.x(), Messages.eventSignature(row.hash()), row.signature());
        return signed ? null : "The signature does not verify.";
    }

    /** Rows of a compromised key are in doubt until something later vouches for them. */
    private long doubt(ChainPoint point, PolicyEvent row) {
        boolean isDoubtful = keys.signer(row.signingKeyId())
                .filter(SigningKey::isCompromised)
                .isPresent();
        return point.doubtfulFrom() == 0 && isDoubtful ? row.seq() : point.doubtfulFrom();
    }

    /**
     * The proof of a sound new key vouches for all rows before it, if it was made before the old key was compromised.
     */
    private long doubtAfter(ChainPoint point, PolicyEvent row, KeyRotation rotation) {
        SigningKey old = keys.signer(rotation.oldKeyId()).orElseThrow();
        SigningKey successor = keys.signer(rotation.newKeyId()).orElseThrow();
        Instant since = old.compromisedSince();
        boolean pinned = since != null && !row.createdAt().isAfter(since) && !successor.isCompromised();
        return pinned ? 0 : doubt(point, row);
    }

    private static ChainVerdict reached(ChainPoint point, PolicyEvent row, String nextKeyId, long doubtfulFrom) {
        ErasedRows erased = point.erased().reaching(row.signingKeyId()).reaching(nextKeyId);
        return new ChainVerdict.Intact(
                new ChainPoint(row.userId(), row.seq(), row.hash(), nextKeyId, row.createdAt(), doubtfulFrom, erased));
    }

    private static ChainVerdict broken(PolicyEvent row, String reason) {
        return new ChainVerdict.Broken(row.seq(), reason);
    }
}
