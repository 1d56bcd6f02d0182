package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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

    /**
     * The erased rows that a verifier has passed, and what their erasures still require: the chain must reach the keys that
     * signed them and the rows that erasures of accounts name (docs/reference/events.md, Erasure).
     *
     * @param count the number of rows without a payload
     * @param keys the keys the chain has reached
     * @param signers for each key that signed erasures, the first row it erased
     * @param ends hash by number of the named rows that the chain has not reached
     */
    public record ErasedRows(long count, Set<String> keys, Map<String, Long> signers, Map<Long, String> ends) {
        static final ErasedRows NONE = new ErasedRows(0, Set.of(), Map.of(), Map.of());

        public ErasedRows {
            keys = Set.copyOf(keys);
            signers = Map.copyOf(signers);
            ends = Map.copyOf(ends);
        }

        /** These rows, after the chain reached a key. */
        ErasedRows reaching(@Nullable String keyId) {
            if (keyId == null || keys.contains(keyId)) {
                return this;
            }
            Set<String> more = new HashSet<>(keys);
            more.add(keyId);
            return new ErasedRows(count, more, signers, ends);
        }

        /** These rows and one more, which an erasure covers. */
        ErasedRows with(PolicyEvent row, Erasure erasure) {
            Map<String, Long> by = new HashMap<>(signers);
            by.putIfAbsent(erasure.signingKeyId(), row.seq());
            Map<Long, String> open = new HashMap<>(ends);
            if (erasure.seq() > row.seq()) {
                open.putIfAbsent(erasure.seq(), erasure.hash());
            }
            return new ErasedRows(count + 1, keys, by, open);
        }

        /** Whether an erasure and an earlier one name different rows for the same place. */
        boolean contradicts(Erasure erasure) {
            return !ends.getOrDefault(erasure.seq(), erasure.hash()).equals(erasure.hash());
        }

        /** Whether an earlier erasure names a different row for the place of this one. */
        boolean contradicts(PolicyEvent row) {
            return !ends.getOrDefault(row.seq(), row.hash()).equals(row.hash());
        }

        /** These rows, after the chain reached a row. */
        ErasedRows past(PolicyEvent row) {
            if (!ends.containsKey(row.seq())) {
                return this;
            }
            Map<Long, String> open = new HashMap<>(ends);
            open.remove(row.seq());
            return new ErasedRows(count, keys, signers, open);
        }

        /** The requirement that the end of the chain leaves unmet, or null. */
        @Nullable
        Broken unsettled(long lastSeq) {
            for (Map.Entry<String, Long> signer : signers.entrySet()) {
                if (!keys.contains(signer.getKey())) {
                    return new Broken(
                            signer.getValue(),
                            "The erasure of the row is signed by a key that the chain does not reach.");
                }
            }
            return ends.isEmpty()
                    ? null
                    : new Broken(lastSeq + 1, "The chain ends here, but an erasure names a later row.");
        }
    }
}
