package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A proof that an entry is in a log, which stands alone (C2SP tlog-proof).
 *
 * @param extra what the application needs to compute the entry, base64; null if nothing. No signature covers it
 * @param index of the entry
 * @param hashes from the sibling of the leaf to the child of the root, each base64
 * @param checkpoint of the log, with the cosignatures there are
 */
public record LogProof(@Nullable String extra, long index, List<String> hashes, SignedNote checkpoint) {
    private static final String HEADER = "c2sp.org/tlog-proof@v1";
    private static final String EXTRA = "extra ";
    private static final String INDEX = "index ";
    /** The deepest tree has 63 levels. */
    private static final int MAX_HASHES = 63;

    public LogProof {
        hashes = List.copyOf(hashes);
    }

    /** The proof of an entry of a tree. */
    public static LogProof of(byte[] extra, long index, LogTree tree, SignedNote checkpoint) {
        return new LogProof(Base64.getEncoder().encodeToString(extra), index, texts(tree.inclusion(index)), checkpoint);
    }

    /** Hashes in base64. */
    public static List<String> texts(List<byte[]> hashes) {
        return hashes.stream().map(Base64.getEncoder()::encodeToString).toList();
    }

    /** The bytes of hashes in base64; null when one has not 32 bytes, or when there are more than any proof has. */
    public static @Nullable List<byte[]> bytes(List<String> hashes) {
        List<byte[]> all = new ArrayList<>();
        for (String hash : hashes) {
            byte[] bytes = Base64Url.standard(hash);
            if (bytes == null || bytes.length != LogTree.HASH_BYTES || all.size() == MAX_HASHES) {
                return null;
            }
            all.add(bytes);
        }
        return all;
    }

    /** Reads a proof without checking anything of it. */
    public static Reading<LogProof> read(String text) {
        int blank = text.indexOf("\n\n");
        List<String> lines =
                blank < 0 ? List.of() : Arrays.asList(text.substring(0, blank).split("\n", -1));
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            return SignedNote.refused(
                    "A proof begins with the line " + HEADER + ", and has an empty line before its" + " checkpoint.");
        }
        boolean hasExtra = lines.size() > 1 && lines.get(1).startsWith(EXTRA);
        String extra = hasExtra ? lines.get(1).substring(EXTRA.length()) : null;
        int at = hasExtra ? 2 : 1;
        long index = lines.size() > at && lines.get(at).startsWith(INDEX)
                ? Checkpoint.number(lines.get(at).substring(INDEX.length()))
                : -1;
        if (index < 0 || extra != null && Base64Url.standard(extra) == null) {
            return SignedNote.refused("A proof has its extra data in base64, if any, and then the index of its entry.");
        }
        List<String> hashes = lines.subList(at + 1, lines.size());
        if (bytes(hashes) == null) {
            return SignedNote.refused("A proof has at most 63 hashes of 32 bytes in base64.");
        }
        return SignedNote.read(text.substring(blank + 2))
                .then(note -> Reading.of(new LogProof(extra, index, hashes, note)));
    }

    /** The proof as it is stored in a {@code .tlog-proof} file. */
    public String text() {
        StringBuilder out = new StringBuilder(HEADER).append('\n');
        if (extra != null) {
            out.append(EXTRA).append(extra).append('\n');
        }
        out.append(INDEX).append(index).append('\n');
        hashes.forEach(hash -> out.append(hash).append('\n'));
        return out.append('\n').append(checkpoint.note()).toString();
    }

    /** Whether the entry is in the tree of a checkpoint, whose signatures are checked elsewhere. */
    public boolean includes(byte[] entry, Checkpoint in) {
        List<byte[]> proof = bytes(hashes);
        return proof != null && LogTree.isIncluded(LogTree.leafHash(entry), index, in.size(), proof, in.rootHash());
    }
}
