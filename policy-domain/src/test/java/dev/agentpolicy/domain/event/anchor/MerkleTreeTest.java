package dev.agentpolicy.domain.event.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tree has the roots that the reference implementation of RFC 6962 is tested with. */
class MerkleTreeTest {
    private static final List<String> LEAVES =
            List.of("", "\u0000", "\u0010", " !", "01", "@ABC", "PQRSTUVW", "`abcdefghijklmno");
    private static final List<String> ROOTS = List.of(
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    @Test
    void its_roots_are_those_of_the_reference_implementation() {
        MerkleTree tree = MerkleTree.empty();
        assertThat(hex(tree)).isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (int i = 0; i < LEAVES.size(); i++) {
            tree.add(LEAVES.get(i));
            assertThat(hex(tree)).isEqualTo(ROOTS.get(i));
            assertThat(tree.size()).isEqualTo(i + 1);
        }
    }

    private static String hex(MerkleTree tree) {
        return HexFormat.of().formatHex(tree.root());
    }
}
