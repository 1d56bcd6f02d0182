package dev.agentpolicy.domain.port.signin;

import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords for storage, and compares them with stored hashes.
 *
 * <p>Hashing is slow and takes memory on purpose, so callers wait in queues. The queues are served in turn and have
 * bounded lengths, so that many callers in one of them do not delay another. When a queue is full, a call fails with
 * {@link dev.agentpolicy.domain.account.Unavailable}.
 */
public interface Passwords {

    /** The queues of callers that wait for a hash. */
    enum HashQueue {
        /** Sign-ins from browsers that signed in to the same account before. */
        KNOWN_DEVICE,
        /** All other sign-ins. */
        SIGN_IN,
        /** Sign-ups. */
        SIGN_UP
    }

    /** Hashes a new password, in the queue of sign-ups. */
    String hash(String password);

    /**
     * Returns whether a password matches a stored hash.
     *
     * @param hash null for an unknown user; no password matches, and the answer takes as long
     * @param queue where the caller waits
     */
    boolean matches(String password, @Nullable String hash, HashQueue queue);
}
