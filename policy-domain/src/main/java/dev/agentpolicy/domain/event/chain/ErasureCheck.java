package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the erasure that explains why a row has no payload, among those of its page. */
final class ErasureCheck {
    private final List<Erasure> entries;
    private final SigningKeys keys;
    private final SignatureCheck check;
    private final Map<Erasure, Boolean> signed = new HashMap<>();

    ErasureCheck(List<Erasure> entries, SigningKeys keys, SignatureCheck check) {
        this.entries = entries;
        this.keys = keys;
        this.check = check;
    }

    /** Checks a row whose place and signature are right. */
    ChainVerdict row(ChainPoint point, PolicyEvent row) {
        ErasedRows erased = point.erased();
        if (row.payload() != null && !erased.ends().containsKey(row.seq())) {
            return new ChainVerdict.Intact(point);
        }
        if (erased.contradicts(row)) {
            return new ChainVerdict.Broken(row.seq(), "The row is not the one that an erasure names.");
        }
        if (row.payload() != null) {
            return new ChainVerdict.Intact(point.with(erased.past(row)));
        }
        Erasure entry = explaining(row);
        if (entry == null) {
            return new ChainVerdict.Broken(row.seq(), "The payload is missing, and no signed erasure explains it.");
        }
        return erased.contradicts(entry)
                ? new ChainVerdict.Broken(row.seq(), "Two erasures name two rows for one place.")
                : new ChainVerdict.Intact(point.with(erased.past(row).with(row, entry)));
    }

    private @Nullable Erasure explaining(PolicyEvent row) {
        for (Erasure entry : entries) {
            if (entry.covers(row) && signed.computeIfAbsent(entry, this::isSigned)) {
                return entry;
            }
        }
        return null;
    }

    private boolean isSigned(Erasure entry) {
        return keys.signer(entry.signingKeyId())
                .filter(key -> entry.isSignedBy(key, check))
                .isPresent();
    }
}
