package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.signing.SigningKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

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

    /** A key with its sealed private part; empty when there is none, or its private part was destroyed. */
    Optional<Sealed> find(String kid);

    /** Stores a key that waits for its time; false when one of its purpose waits already. */
    boolean storePending(Sealed key);

    /** Stores a key that only vouches for others, of which nobody here has the private part. */
    void storePublic(SigningKey key);

    /** Moves keys on in their lives, all or none; false when one of them no longer is as it was. */
    boolean advance(List<StateChange> steps);

    /**
     * Ends keys out of turn and stores the active one that takes their place, all or none.
     *
     * @return false when one of them no longer is as it was
     */
    boolean replace(List<StateChange> ended, Sealed next);

    /**
     * Destroys the private parts of keys that stopped signing before a moment and that no chain needs to get on.
     *
     * @return how many
     */
    int destroyUnused(Instant stoppedBefore);

    /**
     * Replaces every private part there is by what a function makes of it, all or none; durable when this returns.
     *
     * @param sealing answers the same key; may be called again for all keys when the transaction is tried again
     * @return how many
     */
    int reseal(UnaryOperator<Sealed> sealing);

    /** One key's move from one state to a later one. */
    record StateChange(SigningKey before, SigningKey after) {}

    /**
     * A key and its encrypted private part.
     *
     * @param key the public part
     * @param privatePart ciphertext bound to the key id; the bytes belong to the receiver
     */
    record Sealed(SigningKey key, byte[] privatePart) {}
}
