package dev.agentpolicy.domain.port;

import java.util.Optional;

/** Signs with the active key of one purpose. */
public interface EventSigner {

    /** The id of the signing key: its RFC 7638 thumbprint, 43 characters. */
    String keyId();

    /**
     * Signs the UTF-8 bytes of a message with Ed25519. The first line of the message must name the purpose of the key.
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
    default Optional<SignerRollover> from(String lastKeyId) {
        if (lastKeyId.equals(keyId())) {
            return Optional.empty();
        }
        throw new IllegalStateException("The chain was signed by " + lastKeyId + ", a key unknown to this signer.");
    }
}
