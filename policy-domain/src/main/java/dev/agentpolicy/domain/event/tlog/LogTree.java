package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Merkle tree of RFC 6962, section 2.1, over the hashes of its complete subtrees: its root, and proofs for others.
 *
 * <p>A subtree is complete when it has 2^level leaves and begins at a multiple of that. Such a subtree never changes while
 * the tree grows, so its hash can be stored; every other hash is computed from those.
 *
 * @param size the number of leaves
 * @param subtrees the hashes of complete subtrees within the size
 */
public record LogTree(long size, Subtrees subtrees) {
    public static final int HASH_BYTES = 32;

    private static final byte[] LEAF = {0};
    private static final byte[] NODE = {1};

    /** Where the hashes of complete subtrees come from. */
    public interface Subtrees {
        /**
         * The hash of a complete subtree.
         *
         * @param level the number of levels above its leaves
         * @param index its place among the subtrees of that level
         */
        byte[] hash(int level, long index);
    }

    public LogTree {
        if (size < 0) {
            throw new IllegalArgumentException("A tree has at least 0 leaves.");
        }
    }

    public static byte[] leafHash(byte[] entry) {
        return Sha256.of(LEAF, entry);
    }

    public static byte[] nodeHash(byte[] left, byte[] right) {
        return Sha256.of(NODE, left, right);
    }

    public byte[] root() {
        return size == 0 ? Sha256.of("") : hash(0, size);
    }

    /**
     * Proves that a leaf is in this tree (section 2.1.1).
     *
     * @return the hashes from the leaf's sibling to the root's child
     * @throws IllegalArgumentException when the tree has no such leaf
     */
    public List<byte[]> inclusion(long index) {
        if (index < 0 || index >= size) {
            throw new IllegalArgumentException("There is no leaf " + index + " in a tree of " + size + ".");
        }
        List<byte[]> proof = new ArrayList<>();
        long start = 0;
        long end = size;
        while (end - start > 1) {
            long middle = start + split(end - start);
            boolean isLeft = index < middle;
            proof.add(0, isLeft ? hash(middle, end) : hash(start, middle));
            start = isLeft ? start : middle;
            end = isLeft ? middle : end;
        }
        return proof;
    }

    /**
     * Proves that this tree begins with the leaves of a smaller one (section 2.1.2).
     *
     * @param from the number of leaves of the smaller tree; the proof from 0 is empty
     * @throws IllegalArgumentException when the other tree is not smaller or equal
     */
    public List<byte[]> consistency(long from) {
        if (from < 0 || from > size) {
            throw new IllegalArgumentException("There is no proof from " + from + " to " + size + " leaves.");
        }
        List<byte[]> proof = new ArrayList<>();
        if (from == 0 || from == size) {
            return proof;
        }
        long start = 0;
        long end = size;
        while (from != end) {
            long middle = start + split(end - start);
            boolean isLeft = from <= middle;
            proof.add(0, isLeft ? hash(middle, end) : hash(start, middle));
            start = isLeft ? start : middle;
            end = isLeft ? middle : end;
        }
        if (start > 0) {
            proof.add(0, hash(start, end));
        }
        return proof;
    }

    /** Whether a proof of {@link #inclusion} leads from a leaf to a root. */
    public static boolean isIncluded(byte[] leafHash, long index, long size, List<byte[]> proof, byte[] root) {
        if (index < 0 || index >= size) {
            return false;
        }
        byte[] climbed = climb(index, size - 1, leafHash, null, proof.iterator());
        return climbed != null && Arrays.equals(climbed, root);
    }

    /** Whether a proof of {@link #consistency} leads from the root of one tree to that of another. */
    public static boolean isConsistent(long from, byte[] fromRoot, long size, byte[] root, List<byte[]> proof) {
        if (from < 0 || from > size) {
            return false;
        }
        if (from == 0 || from == size) {
            return proof.isEmpty() && (from == 0 || Arrays.equals(fromRoot, root));
        }
        int complete = Long.numberOfTrailingZeros(from);
        Iterator<byte[]> hashes = proof.iterator();
        boolean isComplete = Long.bitCount(from) == 1;
        if (!isComplete && !hashes.hasNext()) {
            return false;
        }
        byte[] shared = isComplete ? fromRoot : hashes.next();
        byte[][] old = {shared};
        byte[] climbed = climb((from - 1) >> complete, (size - 1) >> complete, shared, old, hashes);
        return climbed != null && Arrays.equals(climbed, root) && Arrays.equals(old[0], fromRoot);
    }

    /**
     * Hashes a subtree with its siblings up to the root (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
     *
     * @param old the root of the smaller tree so far, which takes only the siblings on the left; null if there is none
     * @return null when the proof has another length than it must have
     */
    private static byte @Nullable [] climb(
            long index, long last, byte[] hash, byte @Nullable [][] old, Iterator<byte[]> siblings) {
        byte[] climbed = hash;
        long at = index;
        long end = last;
        while (siblings.hasNext()) {
            byte[] sibling = siblings.next();
            if (end == 0) {
                return null;
            }
            if ((at & 1) == 1 || at == end) {
                climbed = nodeHash(sibling, climbed);
                if (old != null) {
                    old[0] = nodeHash(sibling, old[0]);
                }
                int lone = Long.numberOfTrailingZeros(at);
                at >>= lone;
                end >>= lone;
            } else {
                climbed = nodeHash(climbed, sibling);
            }
            at >>= 1;
            end >>= 1;
        }
        return end == 0 ? climbed : null;
    }

    /** The hash over the leaves of a range that is a node of the tree. */
    private byte[] hash(long start, long end) {
        long leaves = end - start;
        if (Long.bitCount(leaves) == 1) {
            int level = Long.numberOfTrailingZeros(leaves);
            return subtrees.hash(level, start >> level);
        }
        long middle = start + split(leaves);
        return nodeHash(hash(start, middle), hash(middle, end));
    }

    /** Some bytes after another. */
    static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] joined = Arrays.copyOf(parts[0], length);
        int at = parts[0].length;
        for (int i = 1; i < parts.length; i++) {
            for (byte b : parts[i]) {
                joined[at++] = b;
            }
        }
        return joined;
    }

    /** The largest power of two below a number of leaves. */
    private static long split(long leaves) {
        return Long.highestOneBit(leaves - 1);
    }
}
