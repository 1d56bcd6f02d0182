package dev.agentpolicy.domain.event.anchor;

import dev.agentpolicy.domain.document.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** A Merkle tree as in RFC 6962, section 2.1. It grows leaf by leaf and keeps only the roots of complete subtrees. */
public final class MerkleTree {
    private static final byte[] LEAF = {0};
    private static final byte[] NODE = {1};

    private final Deque<Node> path = new ArrayDeque<>();

    private MerkleTree() {}

    /** A complete subtree. Nodes are never compared. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Node(long leaves, byte[] hash) {}

    public static MerkleTree empty() {
        return new MerkleTree();
    }

    public void add(String leaf) {
        byte[] data = leaf.getBytes(StandardCharsets.UTF_8);
        Node grown = new Node(1, Sha256.of(LEAF, data));
        while (!path.isEmpty() && path.getLast().leaves == grown.leaves) {
            grown = over(path.removeLast(), grown);
        }
        path.addLast(grown);
    }

    /** The number of leaves. */
    public long size() {
        return path.stream().mapToLong(Node::leaves).sum();
    }

    /** The root of the leaves so far. */
    public byte[] root() {
        if (path.isEmpty()) {
            return Sha256.of("");
        }
        Deque<Node> rest = new ArrayDeque<>(path);
        Node root = rest.removeLast();
        while (!rest.isEmpty()) {
            root = over(rest.removeLast(), root);
        }
        return root.hash.clone();
    }

    private static Node over(Node left, Node right) {
        return new Node(left.leaves + right.leaves, Sha256.of(NODE, left.hash, right.hash));
    }
}
