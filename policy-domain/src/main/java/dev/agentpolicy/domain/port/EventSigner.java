package dev.agentpolicy.domain.port;

import java.util.Optional;

/** Signs with the one active key of its purpose. */
public interface EventSigner {

    /** RFC 7638 thumbprint of the key that signs, 43 characters. */
    String keyId();

    /** Ed25519 over the UTF-8 bytes of a message that begins with the line of its purpose; base64url, 86 characters. */
    String sign(String message);

    /** The key that signs now, which stays the same for all calls on what is answered. */
    default EventSigner current() {
        return this;
    }

    /**
     * How a chain gets from the key that signed its last row to the present one; looks again for what other nodes may
     * have changed.
     *
     * @return empty when that key is the present one
     */
    default Optional<SignerRollover> from(String lastKeyId) {
        if (lastKeyId.equals(keyId())) {
            return Optional.empty();
        }
        throw new IllegalStateException(
                "The chain was signed by " + lastKeyId + ", which this signer knows nothing of.");
    }
}
