package dev.agentpolicy.domain.event.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proofs that stand alone, requests to witnesses, and the leaves of chains. */
class LogProofTest {
    private static final String SIGSUM =
            "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562";
    private static final String HASH = "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    @Test
    void every_entry_of_a_log_of_others_has_a_proof_that_is_read_and_holds() {
        byte[] hashes = TesseraLog.bytes("tile/0/000.p/15");
        List<byte[]> entries = Tile.entries(TesseraLog.bytes("tile/entries/000.p/15"));
        LogTree tree = Tile.tree(15, it -> hashes);
        for (int index = 0; index < 15; index++) {
            LogProof proof = LogProof.of(new byte[] {1, 2}, index, tree, TesseraLog.note(15));
            LogProof read = LogProof.read(proof.text()).orElseThrow();

            assertThat(read).isEqualTo(proof);
            assertThat(read.extra()).isEqualTo("AQI=");
            assertThat(read.includes(entries.get(index), TesseraLog.checkpoint(15)))
                    .isTrue();
            assertThat(read.includes(entries.get((index + 1) % 15), TesseraLog.checkpoint(15)))
                    .isFalse();
            assertThat(read.includes(entries.get(index), TesseraLog.checkpoint(14)))
                    .isFalse();
        }
    }

    @Test
    void a_proof_may_have_no_extra_data_and_no_hashes() {
        String text = "c2sp.org/tlog-proof@v1\nindex 0\n\n" + TesseraLog.note(1).note();

        assertThat(LogProof.read(text).orElseThrow().text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c2sp.org/tlog-proof@v2\nindex 0\n\n",
                "c2sp.org/tlog-proof@v1\n\n",
                "c2sp.org/tlog-proof@v1\nindex 00\n\n",
                "c2sp.org/tlog-proof@v1\nindex -1\n\n",
                "c2sp.org/tlog-proof@v1\nindex 0\nextra AQI=\n\n",
                "c2sp.org/tlog-proof@v1\nextra AQI\nindex 0\n\n",
                "c2sp.org/tlog-proof@v1\nindex 0\nAQI=\n\n",
                "c2sp.org/tlog-proof@v1\nindex 0\r\n\n"
            })
    void a_text_of_another_form_is_no_proof(String head) {
        assertThat(LogProof.read(head + TesseraLog.note(1).note()).isRead()).isFalse();
    }

    @Test
    void a_proof_has_at_most_63_hashes() {
        String note = TesseraLog.note(1).note();
        String head = "c2sp.org/tlog-proof@v1\nindex 0\n";

        assertThat(LogProof.read(head + (HASH + "\n").repeat(63) + "\n" + note).isRead())
                .isTrue();
        assertThat(LogProof.read(head + (HASH + "\n").repeat(64) + "\n" + note).isRead())
                .isFalse();
    }

    /** The bodies of the witness of others are in torchwood's cmd/litewitness/testdata/litewitness.txt. */
    @Test
    void a_request_of_others_is_read_and_its_proof_holds() {
        String body = """
                old 1
                KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
                KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

                %s
                3
                RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=

                \u2014 %s UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=
                """.formatted(SIGSUM, SIGSUM);
        WitnessRequest request = WitnessRequest.read(body).orElseThrow();
        Checkpoint next = Checkpoint.read(request.checkpoint().text()).orElseThrow();
        byte[] old = Base64.getDecoder().decode("KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

        assertThat(request.body()).isEqualTo(body);
        assertThat(request.oldSize()).isEqualTo(1);
        assertThat(request.isConsistent(old, next)).isTrue();
        assertThat(request.isConsistent(next.rootHash(), next)).isFalse();
        assertThat(new WitnessRequest(1, request.hashes().subList(0, 1), request.checkpoint()).isConsistent(old, next))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "old\n\n", "old 01\n\n", "old -1\n\n", "new 1\n\n", "old 1\nAQI=\n\n", "old 1\n"})
    void a_body_of_another_form_is_no_request(String head) {
        assertThat(WitnessRequest.read(head + TesseraLog.note(1).note()).isRead())
                .isFalse();
    }

    @Test
    void a_leaf_commits_to_the_place_of_a_row_with_the_secret_of_its_account() {
        byte[] secret = HexFormat.of()
                .parseHex(IntStream.range(0, 32).mapToObj("%02x"::formatted).reduce("", String::concat));
        ChainLeaf leaf = ChainLeaf.of(secret, 258, "ab".repeat(32));

        assertThat(leaf.commitment()).isEqualTo("Q28LSZvySIxLg_uoJe7wFnDG5xKFeoRWUrv0IJlzvdE");
        assertThat(leaf.entry()).hasSize(64).endsWith(HexFormat.of().parseHex("ab".repeat(32)));
        assertThat(ChainLeaf.read(leaf.entry())).isEqualTo(leaf);
        assertThat(ChainLeaf.read("one".getBytes(StandardCharsets.UTF_8))).isNull();
        assertThat(ChainLeaf.of(secret, 259, leaf.hash()).commitment()).isNotEqualTo(leaf.commitment());
        assertThatThrownBy(() -> new ChainLeaf("", ""))
                .hasMessage("A leaf is a commitment and a hash of 32 bytes each.");
    }
}
