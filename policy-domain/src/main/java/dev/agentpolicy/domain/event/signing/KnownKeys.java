package dev.agentpolicy.domain.event.signing;

import org.jspecify.annotations.Nullable;

/**
 * The keys a verifier knows from elsewhere than the manifest at hand (docs/verify.md, Which keys are trusted): given by
 * whoever verifies, or remembered from an earlier verification.
 *
 * @param firstKeyId the key that must have signed the first row; null when not known
 * @param anchorKeyId the key that must have signed the manifest, or vouched for the one that did; null when not known
 * @param rootKeyId the key that may vouch for others in an emergency; null when none may
 */
public record KnownKeys(
        @Nullable String firstKeyId,
        @Nullable String anchorKeyId,
        @Nullable String rootKeyId) {

    /** What a verifier knows that meets the service for the first time. */
    public static final KnownKeys NONE = new KnownKeys(null, null, null);
}
