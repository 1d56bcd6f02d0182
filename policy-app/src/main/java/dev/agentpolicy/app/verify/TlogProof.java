package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.LoggedRows;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogPolicy;
import dev.agentpolicy.domain.event.tlog.LogPolicy.Party;
import dev.agentpolicy.domain.event.tlog.LogProof;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A proof that a row is in the transparency log, held against a chain that is verified (docs/verify.md, Proofs). */
final class TlogProof {
    private final LogProof proof;
    private final Checkpoint checkpoint;
    private final LoggedRows logged;
    private final @Nullable LogPolicy policy;
    /** The first row of the chain that is not the one of the proof; 0 if there is none. */
    private long differs;

    /**
     * The result.
     *
     * @param broken what does not hold; null if all does
     * @param said where the row is in the log and who witnessed it, in words
     */
    record Outcome(@Nullable Broken broken, String said) {}

    /**
     * Reads a proof.
     *
     * @param policy file with the witnesses that must have cosigned; null to leave witnesses out
     * @throws CannotVerify when a file has another form
     */
    TlogProof(Path file, @Nullable Path policy) {
        this.policy = policy == null ? null : read(policy, "policy", LogPolicy.read(TrustOptions.bytes(policy)));
        String text = new String(TrustOptions.bytes(file), StandardCharsets.UTF_8);
        proof = read(file, "proof", LogProof.read(text));
        checkpoint = read(file, "proof", Checkpoint.read(proof.checkpoint().text()));
        String extra = proof.extra() == null ? "" : proof.extra();
        try {
            logged = read(
                    file,
                    "proof",
                    LoggedRows.read(Page.document(Base64.getDecoder().decode(extra), file.toString(), 0)));
        } catch (Page.OutsideProfile ambiguous) {
            throw new CannotVerify("The file " + file + " is no proof.", ambiguous);
        }
    }

    private static <T> T read(Path file, String what, Reading<T> reading) {
        return reading.fold(value -> value, problems -> {
            throw new CannotVerify("The file " + file + " is no " + what + ": " + Page.what(problems));
        });
    }

    /** Compares a verified row with the one of the proof. */
    void row(PolicyEvent row) {
        long place = row.seq() - logged.seq();
        if (differs == 0
                && place >= 0
                && place < logged.rows().size()
                && !logged.rows().get((int) place).hash().equals(row.hash())) {
            differs = row.seq();
        }
    }

    /**
     * Checks the proof when the whole chain is verified.
     *
     * @param begin the last row that was verified before, and not compared now
     */
    Outcome of(SigningKeyManifest manifest, ChainPoint begin, ChainPoint reached, SignatureCheck check) {
        long seq = logged.seq();
        if (seq < begin.seq()) {
            throw new CannotVerify("The row of the proof was verified before; leave out --save and --from.");
        }
        boolean isOther = seq == begin.seq() && !logged.rows().get(0).hash().equals(begin.hash());
        if (!logged.userId().equals(reached.userId())) {
            return broken(seq, "The proof is for another user.");
        }
        if (!logged.areLinked()) {
            return broken(seq, "The rows of the proof do not follow each other.");
        }
        if (seq > reached.seq()) {
            return broken(reached.seq() + 1, "The chain ends here, but there is a proof of a later row.");
        }
        if (isOther || differs > 0) {
            return broken(isOther ? seq : differs, "The row is not the one that was logged.");
        }
        return inLog(seq, logs(manifest), check);
    }

    private Outcome inLog(long seq, List<VerifierKey> logs, SignatureCheck check) {
        List<VerifierKey> witnesses = policy == null ? List.of() : policy.witnessKeys();
        List<VerifierKey> known = new ArrayList<>(logs);
        known.addAll(witnesses);
        Reading<Map<VerifierKey, Instant>> signed = proof.checkpoint().verify(known, check);
        if (!signed.isRead()) {
            return broken(seq, "A signature of the checkpoint is wrong.");
        }
        Set<VerifierKey> signers = signed.orElseThrow().keySet();
        if (logs.stream().noneMatch(signers::contains)) {
            return broken(seq, "The checkpoint of the proof is not signed by the log.");
        }
        ChainLeaf leaf = new ChainLeaf(logged.commitment(), logged.last().hash());
        if (!proof.includes(leaf.entry(), checkpoint)) {
            return broken(seq, "The row of the proof is not in the log.");
        }
        String at = ", in the log at index " + proof.index();
        if (policy == null) {
            return new Outcome(null, at + ", witnesses not checked");
        }
        long cosigned = witnesses.stream().filter(signers::contains).count();
        String said = "witnessed by " + cosigned + " of " + witnesses.size();
        return policy.isMet(signers)
                ? new Outcome(null, at + ", " + said)
                : broken(seq, "The checkpoint is " + said + ", which is no quorum.");
    }

    /** The keys by which the checkpoint may be signed: those of the policy if it names logs, else those of the manifest. */
    private List<VerifierKey> logs(SigningKeyManifest manifest) {
        if (policy != null && !policy.logs().isEmpty()) {
            return policy.logs().stream()
                    .map(Party::key)
                    .filter(key -> key.name().equals(checkpoint.origin()))
                    .toList();
        }
        return manifest.keys().stream()
                .filter(key -> key.purpose() == Purpose.LOG && key.status() != KeyStatus.REVOKED)
                .map(key -> VerifierKey.of(checkpoint.origin(), VerifierKey.ED25519, key.x()))
                .toList();
    }

    private static Outcome broken(long seq, String why) {
        return new Outcome(new Broken(seq, why), "");
    }
}
