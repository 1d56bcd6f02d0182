package dev.agentpolicy.domain.event.chain;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    ChainVerdict.@Nullable Broken unsettled(long lastSeq) {
        for (Map.Entry<String, Long> signer : signers.entrySet()) {
            if (!keys.contains(signer.getKey())) {
                return new ChainVerdict.Broken(
                        signer.getValue(), "The erasure of the row is signed by a key that the chain does not reach.");
            }
        }
        return ends.isEmpty()
                ? null
                : new ChainVerdict.Broken(lastSeq + 1, "The chain ends here, but an erasure names a later row.");
    }
}
