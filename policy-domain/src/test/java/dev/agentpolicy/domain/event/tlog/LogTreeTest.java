package dev.agentpolicy.domain.event.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.document.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The tree of RFC 6962 and its proofs, for every size up to some. */
class LogTreeTest {
    private static final int SIZES = 70;

    @Test
    void every_root_is_the_one_that_the_definition_gives() {
        for (int size = 0; size <= SIZES; size++) {
            assertThat(tree(size).root()).isEqualTo(byDefinition(leaves(size)));
        }
    }

    @Test
    void every_leaf_of_every_tree_is_proved_and_no_other_is() {
        for (int size = 1; size <= SIZES; size++) {
            LogTree tree = tree(size);
            for (int index = 0; index < size; index++) {
                List<byte[]> proof = tree.inclusion(index);
                byte[] leaf = leaves(size).get(index);

                assertThat(LogTree.isIncluded(leaf, index, size, proof, tree.root()))
                        .isTrue();
                assertThat(LogTree.isIncluded(other(leaf), index, size, proof, tree.root()))
                        .isFalse();
                assertThat(LogTree.isIncluded(leaf, index, size, proof, other(tree.root())))
                        .isFalse();
                assertThat(LogTree.isIncluded(leaf, index + 1L, size, proof, tree.root()))
                        .isFalse();
                long at = index;
                assertNoOtherProof(proof, it -> LogTree.isIncluded(leaf, at, tree.size(), it, tree.root()));
            }
        }
    }

    @Test
    void every_tree_is_proved_to_begin_with_every_smaller_one() {
        for (int size = 0; size <= SIZES; size++) {
            LogTree tree = tree(size);
            for (int from = 0; from <= size; from++) {
                byte[] old = tree(from).root();
                List<byte[]> proof = tree.consistency(from);

                assertThat(LogTree.isConsistent(from, old, size, tree.root(), proof))
                        .isTrue();
                if (from > 0) {
                    int at = from;
                    assertThat(LogTree.isConsistent(from, other(old), size, tree.root(), proof))
                            .isFalse();
                    assertThat(LogTree.isConsistent(from, old, size, other(tree.root()), proof))
                            .isFalse();
                    assertNoOtherProof(proof, it -> LogTree.isConsistent(at, old, tree.size(), tree.root(), it));
                }
            }
        }
    }

    @Test
    void there_is_no_proof_of_what_is_not_in_the_tree() {
        assertThatThrownBy(() -> tree(3).inclusion(3)).hasMessage("There is no leaf 3 in a tree of 3.");
        assertThatThrownBy(() -> tree(3).consistency(4)).hasMessage("There is no proof from 4 to 3 leaves.");
        assertThat(LogTree.isIncluded(leaves(1).get(0), 1, 1, List.of(), tree(1).root()))
                .isFalse();
        assertThat(LogTree.isConsistent(4, tree(4).root(), 3, tree(3).root(), List.of()))
                .isFalse();
        assertThat(LogTree.isConsistent(0, tree(0).root(), 3, tree(3).root(), leaves(1)))
                .isFalse();
    }

    private interface Proving {
        boolean accepts(List<byte[]> proof);
    }

    /** A proof that is shorter, longer, changed or in another order proves nothing. */
    private static void assertNoOtherProof(List<byte[]> proof, Proving proving) {
        List<byte[]> longer = new ArrayList<>(proof);
        longer.add(LogTree.leafHash(new byte[] {1}));
        assertThat(proving.accepts(longer)).isFalse();
        if (!proof.isEmpty()) {
            assertThat(proving.accepts(proof.subList(1, proof.size()))).isFalse();
            assertThat(proving.accepts(proof.subList(0, proof.size() - 1))).isFalse();
            List<byte[]> changed = new ArrayList<>(proof);
            changed.set(0, other(proof.get(0)));
            assertThat(proving.accepts(changed)).isFalse();
        }
        if (proof.size() > 1) {
            List<byte[]> turned = new ArrayList<>(proof);
            Collections.reverse(turned);
            assertThat(proving.accepts(turned)).isFalse();
        }
    }

    private static LogTree tree(int size) {
        List<byte[]> leaves = leaves(size);
        return new LogTree(
                size,
                (level, index) -> byDefinition(leaves.subList((int) (index << level), (int) (index + 1 << level))));
    }

    private static List<byte[]> leaves(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> LogTree.leafHash(("leaf " + i).getBytes(StandardCharsets.UTF_8)))
                .toList();
    }

    /** The definition of section 2.1, over hashes of leaves. */
    private static byte[] byDefinition(List<byte[]> leaves) {
        if (leaves.isEmpty()) {
            return Sha256.of("");
        }
        if (leaves.size() == 1) {
            return leaves.get(0);
        }
        int k = 1;
        while (k * 2 < leaves.size()) {
            k *= 2;
        }
        return Sha256.of(
                new byte[] {1}, byDefinition(leaves.subList(0, k)), byDefinition(leaves.subList(k, leaves.size())));
    }

    private static byte[] other(byte[] hash) {
        byte[] other = hash.clone();
        other[0] ^= 1;
        return other;
    }
}
