package dev.agentpolicy.app.tlog;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.NoteSignature;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import dev.agentpolicy.domain.event.tlog.WitnessRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Cosigns the checkpoints of other services' logs (C2SP tlog-witness): only such as extend the one it cosigned before. That one
 * is in a file of its directory, durably, before an answer is given. One process at a time may use the directory.
 *
 * <p>Thread-safe; one request is answered at a time, so that nothing comes between looking and writing.
 */
public final class Witness {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final String ANY_SIGNATURE = "\n\u2014 any AAAAAAA=\n";
    private static final String ALGORITHM = "Ed25519";

    private final Path directory;
    private final VerifierKey key;
    private final PrivateKey secret;
    private final InstantSource clock;
    private final SignatureCheck check = new TinkSignatureCheck();
    private final Map<String, WatchedLog> logs = new HashMap<>();

    /** A log, and the note that was cosigned last; empty before the first. */
    private static final class WatchedLog {
        private final VerifierKey key;
        private final Path file;
        private Optional<SignedNote> last;

        WatchedLog(VerifierKey key, Path file, Optional<SignedNote> last) {
            this.key = key;
            this.file = file;
            this.last = last;
        }

        Checkpoint checkpoint() {
            return last.map(note -> Checkpoint.read(note.text()).orElseThrow())
                    .orElseGet(() ->
                            new Checkpoint(key.name(), 0, Base64.getEncoder().encodeToString(Sha256.of(""))));
        }
    }

    /** What is answered: the status, and a body of lines. */
    public record Answer(int status, String body) {}

    /**
     * Opens the state, and makes a key at the first time.
     *
     * @param name of the key, if it is made now
     * @param logs the keys of the logs
     * @throws CannotStart when the directory cannot be used
     */
    public Witness(Path directory, String name, List<VerifierKey> logs, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
        try {
            OwnerOnlyFiles.createDirectories(directory);
            Path file = directory.resolve("witness-key");
            if (!Files.exists(file)) {
                OwnerOnlyFiles.replace(file, newKey(name));
            }
            List<String> lines = Files.readAllLines(file);
            key = VerifierKey.read(lines.get(0)).orElseThrow();
            secret = KeyFactory.getInstance(ALGORITHM)
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(lines.get(1))));
            if (!key.name().equals(name)) {
                throw new CannotStart(
                        "The key in " + file + " has the name " + key.name() + "; others know it by that.");
            }
            for (VerifierKey log : logs) {
                if (log.type() != VerifierKey.ED25519 || this.logs.put(log.name(), watched(log)) != null) {
                    throw new CannotStart("--log needs the verifier key of a log, one for each origin.");
                }
            }
        } catch (IOException | GeneralSecurityException | RuntimeException unusable) {
            if (unusable instanceof CannotStart said) {
                throw said;
            }
            throw new CannotStart("The directory " + directory + " cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    private WatchedLog watched(VerifierKey log) throws IOException {
        Path file = directory.resolve(Sha256.hex(log.name()) + ".checkpoint");
        Optional<SignedNote> last = Optional.empty();
        if (Files.exists(file)) {
            SignedNote note = SignedNote.read(Files.readString(file)).orElseThrow();
            Set<VerifierKey> signed =
                    note.verify(List.of(log, key), check).orElseThrow().keySet();
            if (!signed.contains(key)) {
                throw new CannotStart("The file " + file + " is damaged; a witness must not forget what it cosigned.");
            }
            last = Optional.of(note);
        }
        return new WatchedLog(log, file, last);
    }

    private static String newKey(String name) throws GeneralSecurityException {
        KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] raw = Arrays.copyOfRange(encoded, encoded.length - Base64Url.KEY_BYTES, encoded.length);
        return VerifierKey.of(name, VerifierKey.COSIGNATURE, Base64Url.encode(raw))
                        .text() + "\n"
                + Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded()) + "\n";
    }

    /** The key by which others know this witness. */
    public VerifierKey key() {
        return key;
    }

    /** Answers {@code add-checkpoint}. */
    public synchronized Answer add(String body) throws IOException {
        Reading<WitnessRequest> request = WitnessRequest.read(body);
        Reading<Checkpoint> read =
                request.then(it -> Checkpoint.read(it.checkpoint().text()));
        if (!read.isRead() && isMalformedInSignatures(body)) {
            return new Answer(FORBIDDEN, "The signatures of the checkpoint are malformed.\n");
        }
        if (!read.isRead()) {
            return new Answer(BAD_REQUEST, read.problems().get(0).message() + "\n");
        }
        Checkpoint next = read.orElseThrow();
        WitnessRequest asked = request.orElseThrow();
        WatchedLog log = logs.get(next.origin());
        if (log == null) {
            return new Answer(NOT_FOUND, "This log is not watched here.\n");
        }
        boolean isSigned =
                asked.checkpoint().verify(List.of(log.key), check).fold(signed -> !signed.isEmpty(), forged -> false);
        if (!isSigned) {
            return new Answer(FORBIDDEN, "The checkpoint is not signed by the log.\n");
        }
        if (asked.oldSize() > next.size()) {
            return new Answer(BAD_REQUEST, "The old size is larger than the new one.\n");
        }
        Checkpoint before = log.checkpoint();
        if (asked.oldSize() != before.size()) {
            return new Answer(CONFLICT, before.size() + "\n");
        }
        boolean isEmpty = next.size() == 0 && !next.root().equals(before.root());
        if (isEmpty || !asked.isConsistent(before.rootHash(), next)) {
            return new Answer(UNPROCESSABLE, "The checkpoint is not consistent with the one cosigned before.\n");
        }
        return cosigned(log, asked.checkpoint());
    }

    private static boolean isMalformedInSignatures(String body) {
        return WitnessRequest.read(body.substring(0, body.lastIndexOf("\n\n") + 1) + ANY_SIGNATURE)
                .isRead();
    }

    private Answer cosigned(WatchedLog log, SignedNote note) throws IOException {
        NoteSignature cosignature = key.sign(note.text(), clock.instant(), this::sign);
        List<NoteSignature> ofLog = note.signatures().stream()
                .filter(line -> new SignedNote(note.text(), List.of(line))
                        .verify(List.of(log.key), check)
                        .fold(signed -> !signed.isEmpty(), forged -> false))
                .toList();
        SignedNote kept = new SignedNote(note.text(), ofLog).with(cosignature);
        OwnerOnlyFiles.replace(log.file, kept.note());
        log.last = Optional.of(kept);
        return new Answer(OK, cosignature.line());
    }

    private String sign(String message) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(secret);
            signature.update(message.getBytes(StandardCharsets.UTF_8));
            return Base64Url.encode(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("The key cannot sign.", impossible);
        }
    }

    /**
     * Answers what was cosigned last of a log.
     *
     * @param originHash SHA-256 of the origin in hex
     */
    public synchronized Answer checkpoint(String originHash) {
        return logs.values().stream()
                .filter(log -> Sha256.hex(log.key.name()).equals(originHash))
                .flatMap(log -> log.last.stream())
                .findFirst()
                .map(note -> new Answer(OK, note.note()))
                .orElseGet(() -> new Answer(NOT_FOUND, "Nothing of this log was cosigned here.\n"));
    }
}
