package dev.agentpolicy.domain.event.signing;

import org.jspecify.annotations.Nullable;

/**
 * The keys that a verifier has pinned (docs/verify.md, Which keys are trusted): given by its user, or saved by an
 * earlier verification, and never taken from the manifest at hand. Begin with {@link #NONE} and add what is known.
 *
 * @param firstKeyId the key that must have signed the first row; null when not known
 * @param anchorKeyId the key that must have signed the manifest or attested the key that did; null when not known
 * @param rootKeyId the key that may attest others in an emergency; null when none may
 */
public record KnownKeys(
        @Nullable String firstKeyId,
        @Nullable String anchorKeyId,
        @Nullable String rootKeyId) {
    /** No pinned keys: a verifier that meets the service for the first time. */
    public static final KnownKeys NONE = new KnownKeys(null, null, null);

    /** These keys with the one that must have signed the first row. */
    public KnownKeys withFirst(@Nullable String keyId) {
        return new KnownKeys(keyId, anchorKeyId, rootKeyId);
    }

    /** These keys with the one that must have signed the manifest. */
    public KnownKeys withAnchor(@Nullable String keyId) {
        return new KnownKeys(firstKeyId, keyId, rootKeyId);
    }

    /** These keys with the one that may attest others in an emergency. */
    public KnownKeys withRoot(@Nullable String keyId) {
        return new KnownKeys(firstKeyId, anchorKeyId, keyId);
    }
}
