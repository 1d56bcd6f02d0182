package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.signing.SigningKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stores the signing keys of all nodes: public parts in clear, private parts encrypted. */
public interface SealedKeys {

    /** All keys, oldest first; keys are never removed. */
    List<SigningKey> all();

    /** The active key of a purpose with its sealed private part. */
    Optional<SealedKey> active(SigningKey.Purpose purpose);

    /**
     * Stores the first active key of a purpose.
     *
     * @return the active key: this one, or the one that another node stored first
     */
    SealedKey storeFirst(SealedKey key);

    /** A key with its sealed private part; empty when the key does not exist or its private part was destroyed. */
    Optional<SealedKey> find(String kid);

    /** Stores a key that becomes active later; returns false when there already is one of its purpose. */
    boolean storePending(SealedKey key);

    /** Stores a key without a private part, which only vouches for other keys. */
    void storePublic(SigningKey key);

    /** Changes the state of keys, all or none; returns false when one of them has changed in the meantime. */
    boolean advance(List<StateChange> steps);

    /**
     * Ends keys before their time and stores the active key that replaces them, all or none.
     *
     * @return false when one of the ended keys has changed in the meantime
     */
    boolean replace(List<StateChange> ended, SealedKey next);

    /**
     * Destroys the private parts of keys that stopped signing before a time and that no chain needs for its next row.
     *
     * @return the number of destroyed private parts
     */
    int destroyUnused(Instant stoppedBefore);

    /**
     * Replaces all private parts, or none; durable when this returns.
     *
     * @param sealing returns the same key with a new private part; called again for all keys when the transaction is
     *     retried
     * @return the number of replaced private parts
     */
    int reseal(UnaryOperator<SealedKey> sealing);

    /** The sealed secret that tokens of connections are derived with. */
    Optional<byte[]> tokenSecret();

    /**
     * Stores the first secret of tokens.
     *
     * @param sealing makes the ciphertext. It gets the active event key, whose private part is not replaced by {@link #reseal}
     *     before the secret is stored
     * @return the secret: this one, or the one that another node stored first
     */
    byte[] storeTokenSecret(Function<SealedKey, byte[]> sealing);

    /** Replaces the sealed secret of tokens, if there is one; durable when this returns. */
    void resealTokenSecret(UnaryOperator<byte[]> sealing);

    /** A key before and after a change of its state. */
    record StateChange(SigningKey before, SigningKey after) {}

    /**
     * A key and its encrypted private part.
     *
     * @param key the public part
     * @param privatePart ciphertext bound to the key id; the array is not shared
     */
    @SuppressWarnings("ArrayRecordComponent") // Compared by the id of the key only.
    record SealedKey(SigningKey key, byte[] privatePart) {}
}
