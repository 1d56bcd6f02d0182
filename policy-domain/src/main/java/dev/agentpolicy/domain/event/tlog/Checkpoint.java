package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.util.Base64;
import java.util.Objects;

/**
 * The size and root of a log (C2SP tlog-checkpoint).
 *
 * @param origin the identity of the log
 * @param size the number of entries
 * @param root of the tree, 32 bytes in base64
 */
public record Checkpoint(String origin, long size, String root) {
    private static final int LINES = 3;

    public Checkpoint {
        byte[] bytes = Base64Url.standard(root);
        if (origin.isEmpty() || size < 0 || bytes == null || bytes.length != LogTree.HASH_BYTES) {
            throw new IllegalArgumentException("A checkpoint has an origin, a size and a root of 32 bytes in base64.");
        }
    }

    public static Checkpoint of(String origin, LogTree tree) {
        return new Checkpoint(origin, tree.size(), Base64.getEncoder().encodeToString(tree.root()));
    }

    /** Reads the text of a note. Extension lines are allowed and left out. */
    public static Reading<Checkpoint> read(String text) {
        String[] lines =
                text.endsWith("\n") ? text.substring(0, text.length() - 1).split("\n", -1) : new String[0];
        for (String line : lines) {
            if (line.isEmpty()) {
                return SignedNote.refused("A checkpoint has no empty line.");
            }
        }
        long size = lines.length < LINES ? -1 : number(lines[1]);
        if (size < 0) {
            return SignedNote.refused("A checkpoint is an origin, a size and a root, each in a line.");
        }
        byte[] root = Base64Url.standard(lines[2]);
        return root == null || root.length != LogTree.HASH_BYTES
                ? SignedNote.refused("The root of a checkpoint must be 32 bytes in base64.")
                : Reading.of(new Checkpoint(lines[0], size, lines[2]));
    }

    /** A decimal number without leading zeros, or -1. */
    static long number(String digits) {
        try {
            long number = Long.parseLong(digits);
            return Long.toString(number).equals(digits) ? number : -1;
        } catch (NumberFormatException malformed) {
            return -1;
        }
    }

    /** The text that is signed. */
    public String text() {
        return origin + "\n" + size + "\n" + root + "\n";
    }

    public byte[] rootHash() {
        return Objects.requireNonNull(Base64Url.standard(root));
    }
}
