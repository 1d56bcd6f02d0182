package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a chain has been verified. Verification resumes here.
 *
 * @param userId the owner of the chain
 * @param seq of the last verified row, 0 for none
 * @param hash of the last verified row, 64 zeros for none
 * @param signingKeyId the key that must sign the next row; null when the first row may be signed by any key of the
 *     manifest
 * @param createdAt of the last verified row
 * @param doubtfulFrom the first row of a compromised key that nothing has vouched for yet; 0 when there is none
 * @param erased the erased rows so far, and what their erasures still require
 */
public record ChainPoint(
        UserId userId,
        long seq,
        String hash,
        @Nullable String signingKeyId,
        Instant createdAt,
        long doubtfulFrom,
        ErasedRows erased) {

    /** The beginning of a chain whose first key may be any of the manifest. */
    public static ChainPoint fresh(UserId userId) {
        return new ChainPoint(userId, 0, ChainHead.GENESIS_HASH, null, Instant.MIN, 0, ErasedRows.NONE);
    }

    /** The beginning of a chain whose first key the verifier has pinned. */
    public static ChainPoint pinned(UserId userId, String signingKeyId) {
        return new ChainPoint(userId, 0, ChainHead.GENESIS_HASH, signingKeyId, Instant.MIN, 0, ErasedRows.NONE);
    }

    /** The end of an earlier verification. */
    public static ChainPoint saved(UserId userId, long seq, String hash, String signingKeyId, Instant createdAt) {
        return new ChainPoint(userId, seq, hash, signingKeyId, createdAt, 0, ErasedRows.NONE.reaching(signingKeyId));
    }

    /** This point with other erased rows. */
    ChainPoint with(ErasedRows rows) {
        return new ChainPoint(userId, seq, hash, signingKeyId, createdAt, doubtfulFrom, rows);
    }
}
