package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import dev.agentpolicy.domain.event.signing.TrustedManifest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a chain page by page with public data only (docs/reference/events.md, Verifying, step by step).
 *
 * <p>Only the {@link ChainPoint} is carried from page to page, so chains of any length can be verified, and
 * verification can resume where it ended before: {@code rows(point, page).then(p -> rows(p,
 * nextPage)).then(this::end)}.
 */
public final class ChainVerifier {
    private final SigningKeys keys;
    private final SignatureCheck check;
    private final Map<Long, String> receipts;
    private final @Nullable String firstKeyId;

    public ChainVerifier(SigningKeys keys, SignatureCheck check) {
        this(keys, check, Map.of());
    }

    /**
     * A verifier that also checks rows against saved evidence.
     *
     * @param receipts hashes by row number, from saved heads and from the receipts of answers
     */
    public ChainVerifier(SigningKeys keys, SignatureCheck check, Map<Long, String> receipts) {
        this(keys, check, receipts, null);
    }

    private ChainVerifier(
            SigningKeys keys, SignatureCheck check, Map<Long, String> receipts, @Nullable String firstKeyId) {
        this.keys = keys;
        this.check = check;
        this.receipts = Map.copyOf(receipts);
        this.firstKeyId = firstKeyId;
    }

    /**
     * A verifier of the chains of a service.
     *
     * @param manifest the JSON text of the signing keys that the service publishes
     * @param known keys that the caller has pinned; with {@link KnownKeys#NONE} the manifest is trusted on first use
     */
    public static Reading<ChainVerifier> of(String manifest, KnownKeys known) {
        SignatureCheck check = SignatureCheck.ofJdk();
        return Document.parse(manifest)
                .then(SigningKeyManifest::read)
                .then(read -> TrustedManifest.of(read, known, check))
                .then(trusted -> Reading.of(
                        new ChainVerifier(trusted.keys(Purpose.EVENT), check, Map.of(), known.firstKeyId())));
    }

    /**
     * Verifies a whole chain from its first row to its signed head. For a chain too long to hold, call {@link #rows}
     * page by page.
     *
     * @param user the owner of the chain
     * @param pages all pages of the chain in order; the last one has a head
     */
    public ChainVerdict whole(UserId user, ChainPage... pages) {
        ChainVerdict verdict = new ChainVerdict.Intact(
                firstKeyId == null ? ChainPoint.fresh(user) : ChainPoint.pinned(user, firstKeyId));
        List<SignedHead> heads = new ArrayList<>();
        for (ChainPage page : pages) {
            SignedHead head = page.head();
            verdict = verdict.then(reached -> rows(reached, page.rows(), page.erasures()))
                    .then(to -> head == null ? new ChainVerdict.Intact(to) : headOnTheWay(to, head));
            if (head != null) {
                heads.add(head);
            }
        }
        verdict = verdict.then(this::end);
        heads.sort(Comparator.comparingLong(SignedHead::seq).reversed());
        for (SignedHead head : heads) {
            verdict = verdict.then(reached -> reaches(reached, head)).then(to -> names(to, head, pages));
        }
        SignedHead last = pages.length == 0 ? null : pages[pages.length - 1].head();
        return verdict.then(reached -> last == null
                ? broken(reached.seq() + 1, "There is no signed head, so later rows may be missing.")
                : head(reached, last, Instant.MIN));
    }

    private static ChainVerdict names(ChainPoint reached, SignedHead head, ChainPage... pages) {
        boolean isOther = Stream.of(pages)
                .flatMap(page -> page.rows().stream())
                .anyMatch(row -> row.seq() == head.seq() && !row.hash().equals(head.hash()));
        return isOther
                ? broken(head.seq(), "The head has another hash than the row.")
                : new ChainVerdict.Intact(reached);
    }

    /** Verifies rows none of which is erased. */
    public ChainVerdict rows(ChainPoint from, Iterable<PolicyEvent> rows) {
        return rows(from, rows, List.of());
    }

    /**
     * Verifies rows in ascending order, unfiltered, of which the first one follows the point.
     *
     * @param erasures the erasures on the page of the rows
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

    /** Checks, after the last page, that no known row is missing and that nothing is in doubt. */
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
     * Checks that every row is there that a head names. Where the last page reached the end of the chain, that is so of
     * the heads of all pages (docs/reference/events.md, Heads and receipts).
     */
    public ChainVerdict reaches(ChainPoint reached, SignedHead head) {
        long first = reached.seq() + 1;
        if (head.seq() < first) {
            return new ChainVerdict.Intact(reached);
        }
        String rows = head.seq() == first ? "row " + first + " is" : "rows " + first + " to " + head.seq() + " are";
        return broken(first, rows + " missing, the signed head names row " + head.seq());
    }

    /**
     * Checks that a signed head agrees with the rows. Only a head shows that a chain was cut off at its end.
     *
     * @param issuedSince a head issued before this time is too old
     */
    public ChainVerdict head(ChainPoint reached, SignedHead head, Instant issuedSince) {
        String wrong = wrongHead(reached, head, issuedSince);
        return wrong == null ? new ChainVerdict.Intact(reached) : broken(head.seq(), wrong);
    }

    /**
     * Checks that the head on a page before the last agrees with its rows. The chain may use other keys by then, so any
     * key that may sign this kind of chain is accepted.
     */
    public ChainVerdict headOnTheWay(ChainPoint reached, SignedHead head) {
        String wrong = misplaced(reached, head);
        if (wrong == null && signer(head).isEmpty()) {
            wrong = "The head is not signed by a key of this manifest.";
        }
        return wrong == null ? new ChainVerdict.Intact(reached) : broken(head.seq(), wrong);
    }

    /**
     * Whether a head, however old, was signed by a key that may sign this chain and was not compromised at that time.
     */
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

    /** A head may be signed by the key of the next row, or by an attested successor before the chain has rotated. */
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
