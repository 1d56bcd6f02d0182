package dev.agentpolicy.app.verify;

import dev.agentpolicy.app.verify.TlogProof.Outcome;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogTree;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.Slice;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole transparency log with the secret of an owner, and compares it with the checkpoint of the last time and with
 * the rows of the owner's chain (docs/verify.md, Following the log). The checkpoint is kept beside the file with the secret.
 */
final class LogFollower {
    /** A row that is older than this must be in the log. */
    private static final Duration MERGE_DELAY = Duration.ofMinutes(1);

    private static final int EVERY = 256;
    private static final byte[] LENGTH = {0, ChainLeaf.BYTES};
    private static final int BYTES = LENGTH.length + ChainLeaf.BYTES;

    private final Source source;
    private final Instant logged;
    private final VerifierKey key;
    private final byte[] secret;
    private final Path kept;
    private final Optional<Checkpoint> before;
    /** The rows of the chain by the first half of the entry that each would have. */
    private final Map<String, Row> rows = new HashMap<>();

    private @Nullable SignedNote current;

    /** Where the log is read. */
    interface Source {
        byte[] get(String path) throws IOException, InterruptedException;
    }

    /** A verified row of the chain. */
    private record Row(long seq, String hash, Instant createdAt) {}

    /**
     * Reads the file, and the checkpoint of the last time beside it.
     *
     * @param file what {@code GET /api/app/v1/log} answered
     * @throws CannotVerify when a file has another form
     */
    LogFollower(Path file, Source source, Instant now) {
        this.source = source;
        this.logged = now.minus(MERGE_DELAY);
        this.kept = file.resolveSibling(file.getFileName() + ".checkpoint");
        Document own = TrustOptions.read(file, Reading::of, "is not what GET /api/app/v1/log answered");
        byte[] decoded = own.get("secret") instanceof String text ? Base64Url.decode(text) : null;
        if (!(own.get("verifierKey") instanceof String verifier)
                || decoded == null
                || decoded.length != ChainLeaf.SECRET_BYTES) {
            throw new CannotVerify("The file " + file + " is not what GET /api/app/v1/log answered.");
        }
        this.secret = decoded;
        this.key = VerifierKey.read(verifier).fold(it -> it, problems -> {
            throw new CannotVerify("The file " + file + ": " + Page.what(problems));
        });
        this.before = Files.exists(kept)
                ? Optional.of(SignedNote.read(text(TrustOptions.bytes(kept)))
                        .then(note -> Checkpoint.read(note.text()))
                        .fold(it -> it, problems -> {
                            throw new CannotVerify(
                                    "The file " + kept + " is no checkpoint; move it away to begin anew.");
                        }))
                : Optional.empty();
        if (before.isPresent() && !before.get().origin().equals(key.name())) {
            throw new CannotVerify("The file " + kept + " is of another log; move it away to begin anew.");
        }
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Takes a verified row. */
    void row(PolicyEvent row) {
        rows.put(
                ChainLeaf.of(secret, row.seq(), row.hash()).commitment(),
                new Row(row.seq(), row.hash(), row.createdAt()));
    }

    /** Reads the log, when all rows were taken. */
    Outcome follow(ChainPoint reached, SignatureCheck check) throws IOException, InterruptedException {
        SignedNote note = SignedNote.read(text(source.get("/tlog/checkpoint")))
                .fold(it -> it, problems -> new SignedNote("", List.of()));
        boolean isSigned = note.verify(List.of(key), check).fold(by -> !by.isEmpty(), forged -> false);
        Checkpoint checkpoint = isSigned ? Checkpoint.read(note.text()).fold(it -> it, problems -> null) : null;
        if (checkpoint == null || !checkpoint.origin().equals(key.name())) {
            return broken(1, "The checkpoint of the log is not signed by its key.");
        }
        Checkpoint last = before.orElse(checkpoint);
        if (last.size() > checkpoint.size()) {
            return broken(
                    1,
                    "The log was rolled back: it has " + checkpoint.size() + " entries, and had " + last.size()
                            + "; keep both checkpoints, they prove it.");
        }
        Frontier tree = new Frontier();
        Set<Long> found = new HashSet<>();
        for (long bundle = 0; bundle * Tile.WIDTH < checkpoint.size(); bundle++) {
            int width = (int) Math.min(Tile.WIDTH, checkpoint.size() - bundle * Tile.WIDTH);
            byte[] bytes = source.get("/tlog/" + new Slice(new Tile(Tile.ENTRIES, bundle), width).path());
            for (int i = 0; i < width; i++) {
                if (tree.size == last.size() && !tree.root().equals(last.root())) {
                    return forked(last, checkpoint);
                }
                ChainLeaf leaf = leaf(bytes, i);
                if (leaf == null) {
                    return broken(1, "The entry " + tree.size + " of the log is none.");
                }
                Row row = rows.get(leaf.commitment());
                if (row != null && !row.hash().equals(leaf.hash())) {
                    return broken(
                            row.seq(),
                            "The chain has two histories: entry " + tree.size
                                    + " of the log is another row for this place.");
                }
                if (row != null && !found.add(row.seq())) {
                    return broken(row.seq(), "The row is in the log twice, again at " + tree.size + ".");
                }
                tree.add(LogTree.leafHash(leaf.entry()));
            }
        }
        if (!tree.root().equals(checkpoint.root())) {
            return broken(1, "The entries of the log are not those that its checkpoint signs.");
        }
        if (last.size() == checkpoint.size() && !last.root().equals(checkpoint.root())) {
            return forked(last, checkpoint);
        }
        return missing(reached, found).orElseGet(() -> {
            current = note;
            return new Outcome(
                    null, ", log of " + checkpoint.size() + " entries followed, " + found.size() + " of this chain");
        });
    }

    private static @Nullable ChainLeaf leaf(byte[] bundle, int index) {
        int from = index * BYTES;
        return bundle.length >= from + BYTES
                        && Arrays.equals(bundle, from, from + LENGTH.length, LENGTH, 0, LENGTH.length)
                ? ChainLeaf.read(Arrays.copyOfRange(bundle, from + LENGTH.length, from + BYTES))
                : null;
    }

    private static Outcome forked(Checkpoint last, Checkpoint now) {
        return broken(
                1,
                "The log was forked or changed: its " + now.size() + " entries do not begin with the " + last.size()
                        + " of the last time; keep both checkpoints, they prove it.");
    }

    /** The first row that should be in the log and is not. */
    private Optional<Outcome> missing(ChainPoint reached, Set<Long> found) {
        long covered = found.stream().mapToLong(Long::longValue).max().orElse(0);
        return rows.values().stream()
                .filter(row -> row.createdAt().isBefore(logged) && row.seq() <= reached.seq())
                .filter(row -> row.seq() > covered || row.seq() % EVERY == 0 && !found.contains(row.seq()))
                .mapToLong(Row::seq)
                .min()
                .stream()
                .mapToObj(seq -> broken(seq, "The row is not in the log, and should be since long."))
                .findFirst();
    }

    /** Keeps the checkpoint for the next time. */
    void save() {
        SignedNote followed = current;
        if (followed == null) {
            return;
        }
        Path draft = kept.resolveSibling(kept.getFileName() + ".new");
        try {
            Files.writeString(draft, followed.note());
            Files.move(draft, kept, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new CannotVerify("The file " + kept + " cannot be written.", failed);
        }
    }

    private static Outcome broken(long seq, String why) {
        return new Outcome(new Broken(seq, why), "");
    }

    /** The complete subtrees of a tree that grows: all that its root needs. */
    private static final class Frontier {
        private final Deque<byte[]> peaks = new ArrayDeque<>();
        private long size;

        void add(byte[] leaf) {
            byte[] hash = leaf;
            for (long rest = size; (rest & 1) == 1; rest >>= 1) {
                hash = LogTree.nodeHash(peaks.pop(), hash);
            }
            peaks.push(hash);
            size++;
        }

        String root() {
            byte[] hash = null;
            for (byte[] peak : peaks) {
                hash = hash == null ? peak : LogTree.nodeHash(peak, hash);
            }
            return Base64.getEncoder().encodeToString(hash == null ? Sha256.of("") : hash);
        }
    }
}
