package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.KeyRotation;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signs with the active key of one purpose. */
public interface EventSigner {

    /** The id of the signing key: its RFC 7638 thumbprint, 43 characters. */
    String keyId();

    /**
     * Signs the UTF-8 bytes of a message with Ed25519. The first line of the message must name what the key is for: the
     * purpose, or, for the key of the transparency log, its origin.
     *
     * @return the signature in base64url, 86 characters
     */
    String sign(String message);

    /** A signer bound to the key that is active now; its key does not change. */
    default EventSigner current() {
        return this;
    }

    /**
     * How a chain passes from the key that signed its last row to the active key, which may have been replaced on
     * another node.
     *
     * @return empty when the last key is the active one
     */
    default Optional<Rollover> from(String lastKeyId) {
        if (lastKeyId.equals(keyId())) {
            return Optional.empty();
        }
        throw new IllegalStateException("The chain was signed by " + lastKeyId + ", a key unknown to this signer.");
    }

    /**
     * The change of chains from an old signing key to a new one.
     *
     * @param oldKeyId the key that signed so far
     * @param newKey the key that signs from now on
     * @param newSigner signs with the new key
     * @param oldSigner signs with the old key; null when that key is compromised and must not sign any more
     */
    record Rollover(
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
}
