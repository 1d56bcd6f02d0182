package dev.agentpolicy.app.verify;

import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.app.verify.TrustOptions.Named;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Intact;
import dev.agentpolicy.domain.event.chain.ChainVerifier;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.recompute.PasskeySignatures;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.event.signing.TrustedManifest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One verification, from the manifest to the state that is saved for the next one. */
final class VerifyRun {
    /** How many requests and versions are named that were signed. */
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
    private @Nullable PasskeySignatures signatures;
    private long named;
    private final Optional<TlogProof> proof;
    private final Optional<LogFollower> follower;
    private String logged = "";

    /**
     * A verification that has not begun.
     *
     * @param trust the trust options of the command line
     * @param saved where an earlier one ended; null when there was none
     * @param recomputation decides the decisions again, from the first row on; null to leave that out
     * @param follower compares the chain with the whole transparency log, from the first row on
     */
    VerifyRun(
            TrustOptions trust,
            @Nullable SavedState saved,
            @Nullable Recomputation recomputation,
            Optional<LogFollower> follower,
            Progress progress) {
        this.trust = trust;
        this.saved = saved;
        this.recomputation = recomputation;
        this.progress = progress;
        this.known = trust.known(saved);
        this.proof = trust.proof();
        this.follower = follower;
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

    /** What a person signed with a passkey, to be added to the verdict; empty if there is nothing. */
    String signedByPasskey() {
        if (signatures == null) {
            return "";
        }
        int unchecked = signatures.unchecked();
        return named(", signed by passkey: ", signatures.requests())
                + named(", policy versions signed by passkey: ", signatures.versions())
                + (unchecked == 0 ? "" : ", passkey signatures not checked: " + unchecked);
    }

    private static String named(String what, List<Long> numbers) {
        String first = numbers.stream().limit(MAX_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        String more = numbers.size() > MAX_NAMED ? " and " + (numbers.size() - MAX_NAMED) + " more" : "";
        return numbers.isEmpty() ? "" : what + first + more;
    }

    /** The latest row that a signed head names; 0 if there is no head. */
    long highestNamed() {
        return named;
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

    /**
     * What to keep for the next run: the anchor key that signed last, and the root key only if it was given. Null if no row
     * was verified.
     */
    @Nullable
    SavedState toSave(ChainPoint reached) {
        TrustedManifest manifest = trusted;
        if (manifest == null || reached.signingKeyId() == null) {
            return null;
        }
        boolean isByRoot = manifest.signedBy().equals(known.rootKeyId());
        KnownKeys keys = new KnownKeys(
                known.firstKeyId() == null ? firstKeyId : known.firstKeyId(),
                isByRoot ? known.anchorKeyId() : manifest.signedBy(),
                known.rootKeyId());
        return new SavedState(reached, keys, manifest.manifest().version(), erased(reached));
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
        Verification verification = new Verification(verifier, this::start, recomputation, progress, this::compared);
        SavedState before = continued();
        try (Pages pages = source.open(before == null ? null : before.point().createdAt())) {
            ChainVerdict verdict = verification.of(pages, trust.issuedSince().orElse(issuedSince));
            return verdict instanceof Intact intact ? inLog(manifest.manifest(), intact.upTo()) : verdict;
        } finally {
            firstKeyId = verification.firstKeyId();
            signatures = verification.signatures();
            named = verification.named();
            used.firstKey(firstKeyId);
            progress.end();
        }
    }

    private void compared(PolicyEvent row) {
        proof.ifPresent(it -> it.row(row));
        follower.ifPresent(it -> it.row(row));
    }

    /** Compares the chain with a proof, and with the whole log, where they are given. */
    private ChainVerdict inLog(SigningKeyManifest manifest, ChainPoint reached)
            throws IOException, InterruptedException {
        List<TlogProof.Outcome> outcomes = new ArrayList<>();
        if (proof.isPresent()) {
            outcomes.add(proof.get().of(manifest, start(reached.userId()), reached, check));
        }
        if (follower.isPresent()) {
            outcomes.add(follower.get().follow(reached, check));
        }
        for (TlogProof.Outcome outcome : outcomes) {
            if (outcome.broken() != null) {
                return outcome.broken();
            }
            logged += outcome.said();
        }
        return new Intact(reached);
    }

    /** What the transparency log has of the chain, to be added to the verdict; empty if it was not looked at. */
    String logged() {
        return logged;
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
        return recomputation == null && follower.isEmpty() ? saved : null;
    }

    private ChainPoint start(UserId owner) {
        SavedState before = continued();
        return before != null
                ? before.point()
                : trust.from(owner).orElseGet(() -> TrustOptions.beginning(owner, known));
    }

    /** Names the keys that a verdict relies on, and why each is trusted (docs/verify.md, Which keys are trusted). */
    private static final class TrustStatement {
        private static final String PINNED = "pinned";
        private static final String SAVED = "saved";
        private static final String FIRST_USE = "trusted on first use";

        private final String eventKey;
        private final Map<String, List<String>> groups = new LinkedHashMap<>();
        private boolean isFirstKeyKnown;

        /**
         * The keys that are trusted before anything is read.
         *
         * @param purpose of the keys that sign the rows
         * @param given on the command line
         * @param saved by an earlier run
         */
        TrustStatement(String purpose, KnownKeys given, KnownKeys saved) {
            this.eventKey = purpose + " key";
            groups.put(PINNED, new ArrayList<>());
            groups.put(SAVED, new ArrayList<>());
            known(eventKey, given.firstKeyId(), saved.firstKeyId());
            known("anchor key", given.anchorKeyId(), saved.anchorKeyId());
            known("root key", given.rootKeyId(), saved.rootKeyId());
            this.isFirstKeyKnown = given.firstKeyId() != null || saved.firstKeyId() != null;
        }

        /** Takes note of the key that signed the manifest. */
        void manifest(TrustedManifest manifest) {
            if (manifest.attestedBy() != null) {
                add("attested by " + manifest.attestedBy(), "anchor key", manifest.signedBy());
            } else if (manifest.isFirstUse()) {
                add(FIRST_USE, "anchor key", manifest.signedBy());
            }
        }

        /** Takes note of the key that signed the first row, once that row was verified. */
        void firstKey(@Nullable String keyId) {
            if (keyId != null && !isFirstKeyKnown) {
                add(FIRST_USE, eventKey, keyId);
                isFirstKeyKnown = true;
            }
        }

        /** As it stands at the end of the line. */
        @Override
        public String toString() {
            String named = groups.entrySet().stream()
                    .filter(group -> !group.getValue().isEmpty())
                    .map(group -> group.getKey() + ": " + String.join(", ", group.getValue()))
                    .collect(Collectors.joining("; "));
            return named.isEmpty() ? "no key known" : named;
        }

        private void known(String role, @Nullable String given, @Nullable String saved) {
            if (given != null) {
                add(PINNED, role, given);
            } else if (saved != null) {
                add(SAVED, role, saved);
            }
        }

        private void add(String group, String role, String keyId) {
            groups.computeIfAbsent(group, name -> new ArrayList<>()).add(role + " " + keyId);
        }
    }
}
