package dev.agentpolicy.app.verify;

import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.app.verify.TrustOptions.Named;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.ChainVerifier;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.recompute.SignedAcceptances;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.event.signing.TrustedManifest;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One verification, from the manifest to the state that is saved for the next one. */
final class VerifyRun {
    /** How many requests are named whose acceptance was signed. */
    private static final int MAX_NAMED = 20;

    private final TrustOptions trust;
    private final @Nullable SavedState saved;
    private final @Nullable Recomputation recomputation;
    private final Progress progress;
    private final KnownKeys known;
    private final TrustStatement used;
    private final SignatureCheck check = new TinkSignatureCheck();
    private @Nullable TrustedManifest trusted;
    private @Nullable String firstKeyId;
    private @Nullable SignedAcceptances acceptances;
    private long named;

    /**
     * A verification that has not begun.
     *
     * @param trust the trust options of the command line
     * @param saved where an earlier one ended; null when there was none
     * @param recomputation decides the decisions again, from the first row on; null to leave that out
     */
    VerifyRun(
            TrustOptions trust, @Nullable SavedState saved, @Nullable Recomputation recomputation, Progress progress) {
        this.trust = trust;
        this.saved = saved;
        this.recomputation = recomputation;
        this.progress = progress;
        this.known = trust.known(saved);
        KnownKeys before = saved == null ? KnownKeys.NONE : saved.keys();
        this.used = new TrustStatement(trust.purpose().wireName(), trust.given(), before);
    }

    /** Opens the pages of a chain. */
    interface PageSource {

        /**
         * Opens the pages after a known row.
         *
         * @param since time of the last known row; null to begin at the first row
         */
        Pages open(@Nullable Instant since) throws IOException;
    }

    /**
     * The verdict on a manifest and the pages under it.
     *
     * @param issuedSince earliest time of a head that is fresh enough, unless an option sets another
     */
    ChainVerdict of(Document document, PageSource source, Instant issuedSince)
            throws IOException, InterruptedException {
        Reading<SigningKeyManifest> manifest = SigningKeyManifest.read(document);
        if (!manifest.isRead()) {
            return new Broken(1, "The manifest is malformed: " + Page.what(manifest.problems()));
        }
        Reading<TrustedManifest> reading = TrustedManifest.of(manifest.orElseThrow(), known, check);
        if (!reading.isRead()) {
            return new Broken(1, reading.problems().get(0).message());
        }
        TrustedManifest checked = reading.orElseThrow();
        used.manifest(checked);
        trusted = checked;
        if (saved != null && checked.manifest().version() < saved.manifestVersion()) {
            return new Broken(1, "The manifest is older than one that was seen before.");
        }
        String first = known.firstKeyId();
        if (saved != null && first != null && !first.equals(saved.keys().firstKeyId())) {
            return new Broken(1, "The row is signed by another key than the chain expects.");
        }
        return rows(checked, source, issuedSince);
    }

    /** Which acceptances a person signed with a passkey, to be added to the verdict; empty if there is none. */
    String signedByPasskey() {
        if (acceptances == null) {
            return "";
        }
        List<Long> requests = acceptances.requests();
        String named = requests.stream().limit(MAX_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        String more = requests.size() > MAX_NAMED ? " and " + (requests.size() - MAX_NAMED) + " more" : "";
        String signed = requests.isEmpty() ? "" : ", signed by passkey: " + named + more;
        int unchecked = acceptances.unchecked();
        return unchecked == 0 ? signed : signed + ", passkey signatures not checked: " + unchecked;
    }

    /** That a head names a later row than the pages reached, of which the last one has a cursor; empty if none does. */
    String goesOn(ChainPoint reached) {
        return named <= reached.seq() ? "" : "The log goes on: the signed head names row " + named + ".";
    }

    /** The keys the verdict rests on, in words. */
    String trustUsed() {
        return used.toString();
    }

    /** Erased rows of the whole chain, as far as it was verified now or before. */
    long erased(ChainPoint reached) {
        SavedState before = continued();
        return reached.erased().count() + (before == null ? 0 : before.erasedRows());
    }

    /** What to keep for the next run: the anchor key that signed last, and the root key only if it was given. */
    Optional<SavedState> toSave(ChainPoint reached) {
        TrustedManifest manifest = trusted;
        if (manifest == null || reached.signingKeyId() == null) {
            return Optional.empty();
        }
        boolean isByRoot = manifest.signedBy().equals(known.rootKeyId());
        KnownKeys keys = new KnownKeys(
                known.firstKeyId() == null ? firstKeyId : known.firstKeyId(),
                isByRoot ? known.anchorKeyId() : manifest.signedBy(),
                known.rootKeyId());
        return Optional.of(new SavedState(reached, keys, manifest.manifest().version(), erased(reached)));
    }

    private ChainVerdict rows(TrustedManifest manifest, PageSource source, Instant issuedSince)
            throws IOException, InterruptedException {
        Map<Long, String> receipts = new HashMap<>();
        for (Named named : named()) {
            String other = receipts.put(named.seq(), named.hash());
            if (other != null && !other.equals(named.hash())) {
                return new Broken(named.seq(), "Two rows were given out for this place; keep both, they prove it.");
            }
        }
        ChainVerifier verifier = new ChainVerifier(manifest.keys(trust.purpose()), check, receipts);
        for (SignedHead head : trust.heads()) {
            if (!verifier.isIssued(head)) {
                return new Broken(head.seq(), "The head that was kept is not signed by a key of this manifest.");
            }
        }
        Verification verification = new Verification(verifier, this::start, recomputation, progress);
        SavedState before = continued();
        try (Pages pages = source.open(before == null ? null : before.point().createdAt())) {
            return verification.of(pages, trust.issuedSince().orElse(issuedSince));
        } finally {
            firstKeyId = verification.firstKeyId();
            acceptances = verification.acceptances();
            named = verification.named();
            used.firstKey(firstKeyId);
            progress.end();
        }
    }

    /** Receipts, kept heads, and where the last verification ended. */
    private List<Named> named() {
        Stream<Named> heads = trust.heads().stream().map(head -> new Named(head.seq(), head.hash()));
        Stream<Named> last = Stream.ofNullable(saved)
                .map(it -> new Named(it.point().seq(), it.point().hash()));
        return Stream.of(trust.receipts().stream(), heads, last)
                .flatMap(named -> named)
                .toList();
    }

    /** Where to go on; null to begin at the first row. */
    private @Nullable SavedState continued() {
        return recomputation == null ? saved : null;
    }

    private ChainPoint start(UserId owner) {
        SavedState before = continued();
        return before != null
                ? before.point()
                : trust.from(owner).orElseGet(() -> TrustOptions.beginning(owner, known));
    }
}
