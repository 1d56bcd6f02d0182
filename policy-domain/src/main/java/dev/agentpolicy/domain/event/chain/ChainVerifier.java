package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a chain page by page with public data only (docs/reference/events.md, Verifying, step by step).
 *
 * <p>Nothing but the {@link ChainPoint} is carried from page to page, so a chain of any length can be verified, now or
 * where an earlier verification ended: {@code rows(point, page).then(p -> rows(p, nextPage)).then(this::end)}.
 */
public final class ChainVerifier {
    private final SigningKeys keys;
    private final SignatureCheck check;
    private final Map<Long, String> receipts;

    public ChainVerifier(SigningKeys keys, SignatureCheck check) {
        this(keys, check, Map.of());
    }

    /**
     * A verifier that also knows what the service once said.
     *
     * @param receipts hash by seq: saved heads and the receipts that came with answers
     */
    public ChainVerifier(SigningKeys keys, SignatureCheck check, Map<Long, String> receipts) {
        this.keys = keys;
        this.check = check;
        this.receipts = Map.copyOf(receipts);
    }

    /** Goes through rows none of which is erased, as {@link #rows(ChainPoint, Iterable, List)} does. */
    public ChainVerdict rows(ChainPoint from, Iterable<PolicyEvent> rows) {
        return rows(from, rows, List.of());
    }

    /**
     * Goes through rows in ascending order, unfiltered, the first one right after the point.
     *
     * @param erasures the entries that came with the rows
     */
    public ChainVerdict rows(ChainPoint from, Iterable<PolicyEvent> rows, List<Erasure> erasures) {
        SignerCheck signer = new SignerCheck(keys, check);
        ErasureCheck erasure = new ErasureCheck(erasures, keys, check);
        ChainPoint point = from;
        for (PolicyEvent row : rows) {
            String wrong = RowCheck.contents(point, row);
            if (wrong != null) {
                return broken(row.seq() > 0 ? row.seq() : point.seq() + 1, wrong);
            }
            if (!row.hash().equals(receipts.getOrDefault(row.seq(), row.hash()))) {
                return broken(row.seq(), "The row is not the one whose hash was given out earlier.");
            }
            ChainVerdict verdict = signer.row(point, row).then(signed -> erasure.row(signed, row));
            if (!(verdict instanceof ChainVerdict.Intact intact)) {
                return verdict;
            }
            point = intact.upTo();
        }
        return new ChainVerdict.Intact(point);
    }

    /** Says after the last page whether the chain is long enough and whether every row counts. */
    public ChainVerdict end(ChainPoint reached) {
        if (reached.doubtfulFrom() > 0) {
            return broken(
                    reached.doubtfulFrom(), "The row was signed by a compromised key and nothing vouches for it.");
        }
        ChainVerdict.Broken unsettled = reached.erased().unsettled(reached.seq());
        if (unsettled != null) {
            return unsettled;
        }
        for (Map.Entry<Long, String> receipt : receipts.entrySet()) {
            if (receipt.getKey() > reached.seq()) {
                return broken(reached.seq() + 1, "The chain ends here, but a later row was given out earlier.");
            }
            if (receipt.getKey() == reached.seq() && !receipt.getValue().equals(reached.hash())) {
                return broken(reached.seq(), "The row is not the one whose hash was given out earlier.");
            }
        }
        return new ChainVerdict.Intact(reached);
    }

    /**
     * Says whether a signed head agrees with the rows: a chain cut off at its end shows only here.
     *
     * @param issuedSince the oldest head that is fresh enough
     */
    public ChainVerdict head(ChainPoint reached, SignedHead head, Instant issuedSince) {
        String wrong = wrongHead(reached, head, issuedSince);
        return wrong == null ? new ChainVerdict.Intact(reached) : broken(head.seq(), wrong);
    }

    /**
     * Says whether the head that came with rows on the way agrees with them. The chain may have gone over to other keys
     * since those rows, so any key that may sign this kind of chain will do.
     */
    public ChainVerdict headOnTheWay(ChainPoint reached, SignedHead head) {
        String wrong = misplaced(reached, head);
        if (wrong == null && signer(head).isEmpty()) {
            wrong = "The head is not signed by a key of this manifest.";
        }
        return wrong == null ? new ChainVerdict.Intact(reached) : broken(head.seq(), wrong);
    }

    /** Whether a head, however old, was signed by a key that may sign this chain, before anyone else may have had it. */
    public boolean isIssued(SignedHead head) {
        return signer(head).filter(key -> isBeforeTheft(head, key)).isPresent();
    }

    private @Nullable String wrongHead(ChainPoint reached, SignedHead head, Instant issuedSince) {
        String misplaced = misplaced(reached, head);
        if (misplaced != null) {
            return misplaced;
        }
        if (head.issuedAt().isBefore(issuedSince)) {
            return "The head is too old.";
        }
        boolean isSigned = signer(head).filter(key -> maySignHead(reached, key)).isPresent();
        return isSigned ? null : "The head is not signed by the key of the chain or by one it vouches for.";
    }

    private static @Nullable String misplaced(ChainPoint reached, SignedHead head) {
        if (!head.userId().equals(reached.userId())) {
            return "The head is that of another user.";
        }
        if (head.seq() < reached.seq()) {
            return "The head is behind the rows.";
        }
        boolean isOther = head.seq() == reached.seq() && !head.hash().equals(reached.hash());
        return isOther ? "The head has another hash than the last row." : null;
    }

    private Optional<SigningKey> signer(SignedHead head) {
        return keys.signer(head.signingKeyId())
                .filter(key -> check.isSignedBy(key.x(), head.message(), head.signature()));
    }

    private static boolean isBeforeTheft(SignedHead head, SigningKey key) {
        Instant since = key.compromisedSince();
        return !key.isCompromised() || since != null && !head.issuedAt().isAfter(since);
    }

    /** A head may be signed by the key of the next row, or by its attested successor before the chain has rotated. */
    private boolean maySignHead(ChainPoint reached, SigningKey key) {
        String current = reached.signingKeyId();
        return !key.isCompromised()
                && (current == null
                        || key.kid().equals(current)
                        || keys.isAttestedBy(key, current, check)
                        || keys.isAttestedByRoot(key, check));
    }

    private static ChainVerdict broken(long seq, String reason) {
        return new ChainVerdict.Broken(seq, reason);
    }
}
