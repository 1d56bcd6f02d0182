package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.SigningKey;
import java.util.List;
import java.util.Optional;

/** Keeps the signing keys of all nodes: the public part in clear, the private part only as it was sealed. */
public interface SealedKeys {

    /** Every key there ever was, oldest first; keys are never removed. */
    List<SigningKey> all();

    /** The active key of a purpose with its sealed private part. */
    Optional<Sealed> active(SigningKey.Purpose purpose);

    /**
     * Stores the first active key of a purpose.
     *
     * @return the active key that stands: this one, or the one another node stored first
     */
    Sealed storeFirst(Sealed key);

    /**
     * A key and its encrypted private part.
     *
     * @param key the public part
     * @param privatePart ciphertext bound to the key id; the bytes belong to the receiver
     */
    record Sealed(SigningKey key, byte[] privatePart) {}
}
