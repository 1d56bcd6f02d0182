package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import org.jspecify.annotations.Nullable;

/** Checks everything about a row but its signature: its place, its canonical form and its hashes. */
final class RowCheck {

    private RowCheck() {}

    /** The problem of a row, or null. */
    static @Nullable String contents(ChainPoint point, PolicyEvent row) {
        String misplaced = place(point, row);
        return misplaced != null ? misplaced : hashes(row);
    }

    private static @Nullable String place(ChainPoint point, PolicyEvent row) {
        if (!row.userId().equals(point.userId())) {
            return "The row belongs to another user.";
        }
        if (row.seq() != point.seq() + 1) {
            return "The row should be number " + (point.seq() + 1) + ".";
        }
        if (!row.prevHash().equals(point.hash())) {
            return "The row does not follow the row before it.";
        }
        return row.createdAt().isBefore(point.createdAt()) ? "The row is older than the row before it." : null;
    }

    private static @Nullable String hashes(PolicyEvent row) {
        String payload = row.payload();
        if (payload != null) {
            if (!CanonicalForm.isCanonical(payload)) {
                return "The payload is not in canonical form.";
            }
            if (!Sha256.hex(Messages.payload(payload)).equals(row.payloadHash())) {
                return "The payload does not have its hash.";
            }
        } else if (!Sha256.isHex(row.payloadHash())) {
            return "The hash of the erased payload is malformed.";
        }
        return Sha256.hex(Messages.header(row)).equals(row.hash()) ? null : "The row does not have its hash.";
    }
}
