package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stores the encrypted credentials of synced custodians, together with when they are synced. Methods block. */
public interface SealedCredentials {

    /**
     * Stores credentials in place of those of earlier versions, and makes the custodian due at once.
     * Durable on return. False when those of a later version are stored.
     *
     * @param version of the account's connections
     * @param sealing makes the ciphertext. It gets the active event key, whose private part is not replaced by {@link
     *     SealedKeys#reseal} before the credentials are stored: what opens the key will open them, too
     */
    boolean store(
            UserId user,
            String custodian,
            long version,
            BrokerEnvironment environment,
            Function<SealedKey, byte[]> sealing);

    /** The encrypted credentials of a custodian. */
    Optional<SealedCredential> find(UserId user, String custodian);

    /**
     * Deletes the credentials of a custodian up to a version, which is then synced no more; false when there were none.
     */
    boolean delete(UserId user, String custodian, long version);

    /** All credentials. */
    List<SealedCredential> all();

    /**
     * Replaces all credentials, or none; durable when this returns.
     *
     * @param sealing returns the same credentials with a new ciphertext; called again for all when the transaction is
     *     retried
     * @return how many were replaced
     */
    int reseal(UnaryOperator<SealedCredential> sealing);

    /**
     * Encrypted credentials.
     *
     * @param ciphertext bound to user and custodian; the array is not shared
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record SealedCredential(UserId user, String custodian, byte[] ciphertext) {}
}
