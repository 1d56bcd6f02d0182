package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainPoint.ErasedRows;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Intact;
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
import java.util.HashMap;
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
        return Document.parseExactly(manifest, 0)
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
        ChainVerdict verdict =
                new Intact(firstKeyId == null ? ChainPoint.fresh(user) : ChainPoint.pinned(user, firstKeyId));
        List<SignedHead> heads = new ArrayList<>();
        for (ChainPage page : pages) {
            SignedHead head = page.head();
            verdict = verdict.then(reached -> rows(reached, page.rows(), page.erasures()))
                    .then(to -> head == null ? new Intact(to) : headOnTheWay(to, head));
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
        return isOther ? broken(head.seq(), "The head has another hash than the row.") : new Intact(reached);
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
        Map<Erasure, Boolean> signed = new HashMap<>();
        ChainPoint point = from;
        for (PolicyEvent row : rows) {
            String wrong = contents(point, row);
            if (wrong != null) {
                return broken(row.seq() > 0 ? row.seq() : point.seq() + 1, wrong);
            }
            if (!row.hash().equals(receipts.getOrDefault(row.seq(), row.hash()))) {
                return broken(row.seq(), "The row is not the one whose hash was given out earlier.");
            }
            ChainVerdict verdict = signer(point, row).then(reached -> payload(reached, row, erasures, signed));
            if (!(verdict instanceof Intact intact)) {
                return verdict;
            }
            point = intact.upTo();
        }
        return new Intact(point);
    }

    // The place of a row, its canonical form and its hashes

    private static @Nullable String contents(ChainPoint point, PolicyEvent row) {
        if (!row.userId().equals(point.userId())) {
            return "The row belongs to another user.";
        }
        if (row.seq() != point.seq() + 1) {
            return "The row should be number " + (point.seq() + 1) + ".";
        }
        if (!row.prevHash().equals(point.hash())) {
            return "The row does not follow the row before it.";
        }
        if (row.createdAt().isBefore(point.createdAt())) {
            return "The row is older than the row before it.";
        }
        String payload = row.payload();
        if (payload == null && !Sha256.isHex(row.payloadHash())) {
            return "The hash of the erased payload is malformed.";
        }
        if (payload != null && !CanonicalForm.isCanonical(payload)) {
            return "The payload is not in canonical form.";
        }
        if (payload != null && !Sha256.hex(Messages.payload(payload)).equals(row.payloadHash())) {
            return "The payload does not have its hash.";
        }
        return Sha256.hex(Messages.header(row)).equals(row.hash()) ? null : "The row does not have its hash.";
    }

    // The key that signed a row, and the key that must sign the next one

    private ChainVerdict signer(ChainPoint point, PolicyEvent row) {
        if (row.kind() == EventKind.SIGNING_KEY_ROTATED) {
            return rotation(point, row);
        }
        String expected = point.signingKeyId() == null ? row.signingKeyId() : point.signingKeyId();
        String wrong = signature(row, expected);
        return wrong != null ? broken(row, wrong) : reached(point, row, expected, doubt(point, row));
    }

    private ChainVerdict rotation(ChainPoint point, PolicyEvent row) {
        if (row.payload() == null) {
            return broken(row, "The payload of a key rotation must not be erased.");
        }
        Reading<KeyRotation> payload = KeyRotation.read(CanonicalForm.read(row.payload()));
        return payload.fold(
                rotation -> rotation(point, row, rotation),
                problems -> broken(
                        row, "The key rotation is malformed: " + problems.get(0).message()));
    }

    private ChainVerdict rotation(ChainPoint point, PolicyEvent row, KeyRotation rotation) {
        boolean isEmergency = rotation.reason() == KeyRotation.Reason.COMPROMISE;
        String wrong = successor(point, row, rotation);
        if (wrong == null && isEmergency) {
            wrong = emergency(rotation);
        }
        if (wrong == null) {
            wrong = signature(row, isEmergency ? rotation.newKeyId() : rotation.oldKeyId());
        }
        if (wrong != null) {
            return broken(row, wrong);
        }
        Long trusted = rotation.trustedThroughSeq();
        if (isEmergency && trusted != null && trusted < point.seq()) {
            return new Broken(trusted + 1, "The operator does not vouch for this row of a compromised key.");
        }
        return reached(point, row, rotation.newKeyId(), isEmergency ? 0 : doubtAfter(point, row, rotation));
    }

    private @Nullable String successor(ChainPoint point, PolicyEvent row, KeyRotation rotation) {
        String current = point.signingKeyId() == null ? rotation.oldKeyId() : point.signingKeyId();
        if (!rotation.oldKeyId().equals(current)) {
            return "The key rotation is not from the key that signed so far.";
        }
        SigningKey successor = keys.signer(rotation.newKeyId()).orElse(null);
        if (successor == null || !successor.x().equals(rotation.newPublicKey())) {
            return "The new key is not in the manifest for this kind of chain.";
        }
        String proof = Messages.keyProof(row.userId(), current, rotation.newKeyId(), row.prevHash());
        boolean proven = check.isSignedBy(successor.x(), proof, rotation.newKeyProof());
        return proven ? null : "The new key is not proven to be in the hands of the service.";
    }

    private @Nullable String emergency(KeyRotation rotation) {
        if (!keys.isTrustingRoot()) {
            return "The key rotation is an emergency, and no root key was given to vouch for it.";
        }
        boolean attested = keys.signer(rotation.newKeyId())
                .filter(key -> !key.isCompromised() && keys.isAttestedByRoot(key, check))
                .isPresent();
        return attested ? null : "The new key of an emergency is not attested by the root key that was given.";
    }

    private @Nullable String signature(PolicyEvent row, String expectedKeyId) {
        if (!row.signingKeyId().equals(expectedKeyId)) {
            return "The row is signed by another key than the chain expects.";
        }
        SigningKey signer = keys.signer(expectedKeyId).orElse(null);
        if (signer == null) {
            return "The key that signed is not in the manifest for this kind of chain.";
        }
        boolean signed = check.isSignedBy(signer.x(), Messages.eventSignature(row.hash()), row.signature());
        return signed ? null : "The signature does not verify.";
    }

    /** Rows of a compromised key are in doubt until something later vouches for them. */
    private long doubt(ChainPoint point, PolicyEvent row) {
        boolean isDoubtful = keys.signer(row.signingKeyId())
                .filter(SigningKey::isCompromised)
                .isPresent();
        return point.doubtfulFrom() == 0 && isDoubtful ? row.seq() : point.doubtfulFrom();
    }

    /**
     * The proof of a sound new key vouches for all rows before it, if it was made before the old key was compromised.
     */
    private long doubtAfter(ChainPoint point, PolicyEvent row, KeyRotation rotation) {
        SigningKey old = keys.signer(rotation.oldKeyId()).orElseThrow();
        SigningKey successor = keys.signer(rotation.newKeyId()).orElseThrow();
        Instant since = old.compromisedSince();
        boolean pinned = since != null && !row.createdAt().isAfter(since) && !successor.isCompromised();
        return pinned ? 0 : doubt(point, row);
    }

    private static ChainVerdict reached(ChainPoint point, PolicyEvent row, String nextKeyId, long doubtfulFrom) {
        ErasedRows erased = point.erased().reaching(row.signingKeyId()).reaching(nextKeyId);
        return new Intact(
                new ChainPoint(row.userId(), row.seq(), row.hash(), nextKeyId, row.createdAt(), doubtfulFrom, erased));
    }

    private static ChainVerdict broken(PolicyEvent row, String reason) {
        return new Broken(row.seq(), reason);
    }

    // The erasure that explains why a row has no payload, among those of its page

    /** Checks a row whose place and signature are right. */
    private ChainVerdict payload(
            ChainPoint point, PolicyEvent row, List<Erasure> erasures, Map<Erasure, Boolean> signed) {
        ErasedRows erased = point.erased();
        if (row.payload() != null && !erased.ends().containsKey(row.seq())) {
            return new Intact(point);
        }
        if (erased.contradicts(row)) {
            return broken(row, "The row is not the one that an erasure names.");
        }
        if (row.payload() != null) {
            return new Intact(point.with(erased.past(row)));
        }
        for (Erasure entry : erasures) {
            if (entry.covers(row) && signed.computeIfAbsent(entry, this::isSigned)) {
                return erased.contradicts(entry)
                        ? broken(row, "Two erasures name two rows for one place.")
                        : new Intact(point.with(erased.past(row).with(row, entry)));
            }
        }
        return broken(row, "The payload is missing, and no signed erasure explains it.");
    }

    private boolean isSigned(Erasure entry) {
        return keys.signer(entry.signingKeyId())
                .filter(key -> entry.isSignedBy(key, check))
                .isPresent();
    }

    // The end of a chain and its heads

    /** Checks, after the last page, that no known row is missing and that nothing is in doubt. */
    public ChainVerdict end(ChainPoint reached) {
        if (reached.doubtfulFrom() > 0) {
            return broken(
                    reached.doubtfulFrom(), "The row was signed by a compromised key and nothing vouches for it.");
        }
        Broken unsettled = reached.erased().unsettled(reached.seq());
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
        return new Intact(reached);
    }

    /**
     * Checks that every row is there that a head names. Where the last page reached the end of the chain, that is so of
     * the heads of all pages (docs/reference/events.md, Heads and receipts).
     */
    public ChainVerdict reaches(ChainPoint reached, SignedHead head) {
        long first = reached.seq() + 1;
        if (head.seq() < first) {
            return new Intact(reached);
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
        return wrong == null ? new Intact(reached) : broken(head.seq(), wrong);
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
        return wrong == null ? new Intact(reached) : broken(head.seq(), wrong);
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
        return new Broken(seq, reason);
    }
}
