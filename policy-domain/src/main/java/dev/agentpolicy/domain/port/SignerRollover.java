package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.KeyRotation;
import dev.agentpolicy.domain.event.signing.SigningKey;
import org.jspecify.annotations.Nullable;

/**
 * How chains get from a key that signed before to the one that signs now.
 *
 * @param oldKeyId the key that signed so far
 * @param newKey the key that signs from now on
 * @param newSigner signs with it
 * @param oldSigner signs the last row of the old key; null when that key is compromised and must sign nothing more
 */
public record SignerRollover(
        String oldKeyId,
        SigningKey newKey,
        EventSigner newSigner,
        @Nullable EventSigner oldSigner) {

    /** What the next row of a chain must say. In an emergency the operator vouches for all that is in the chain. */
    public KeyRotation rotation(ChainHead head) {
        return oldSigner == null
                ? KeyRotation.emergency(head, oldKeyId, newKey, head.seq(), newSigner::sign)
                : KeyRotation.scheduled(head, oldKeyId, newKey, newSigner::sign);
    }

    /** Who signs that row. */
    public EventSigner signer() {
        return oldSigner == null ? newSigner : oldSigner;
    }
}
