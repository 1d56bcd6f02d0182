package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.KeyRotation;
import dev.agentpolicy.domain.event.signing.SigningKey;
import org.jspecify.annotations.Nullable;

/**
 * The change of chains from an old signing key to a new one.
 *
 * @param oldKeyId the key that signed so far
 * @param newKey the key that signs from now on
 * @param newSigner signs with the new key
 * @param oldSigner signs with the old key; null when that key is compromised and must not sign any more
 */
public record SignerRollover(
        String oldKeyId,
        SigningKey newKey,
        EventSigner newSigner,
        @Nullable EventSigner oldSigner) {

    /**
     * The content of the rotation row that follows a head. In an emergency the operator vouches for all rows before it.
     */
    public KeyRotation rotation(ChainHead head) {
        return oldSigner == null
                ? KeyRotation.emergency(head, oldKeyId, newKey, head.seq(), newSigner::sign)
                : KeyRotation.scheduled(head, oldKeyId, newKey, newSigner::sign);
    }

    /** The signer of the rotation row. */
    public EventSigner signer() {
        return oldSigner == null ? newSigner : oldSigner;
    }
}
