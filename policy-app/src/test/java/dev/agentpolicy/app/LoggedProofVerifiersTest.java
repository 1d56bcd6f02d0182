package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.Verifiers.Said;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.LoggedRows;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogProof;
import dev.agentpolicy.domain.event.tlog.LogTree;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One proof of the transparency log, and every verifier, offline. */
class LoggedProofVerifiersTest {
    private static final String ORIGIN = "policy.example/tlog";
    private static final Instant NOW = TestChain.START.plusSeconds(60);
    private static final TestKey LOG = TestKey.of("0a".repeat(32));
    private static final List<TestKey> WITNESSES =
            List.of(TestKey.of("0b".repeat(32)), TestKey.of("0c".repeat(32)), TestKey.of("0d".repeat(32)));
    private static final VerifierKey LOG_KEY = VerifierKey.of(ORIGIN, VerifierKey.ED25519, LOG.x());
    private static final List<PolicyEvent> ROWS = TestChain.ofDecisions(6).rows();
    private static final byte[] SECRET = Sha256.of("secret");
    private static final String POLICY = policy("group all-of-them 2 w0 w1 w2\nquorum all-of-them\n");

    @TempDir
    private Path folder;

    private Path events;
    private Path keys;

    private static String policy(String quorum) {
        StringBuilder out = new StringBuilder("# whom we trust\n\nlog " + LOG_KEY.text() + " https://policy.example\n");
        for (int i = 0; i < WITNESSES.size(); i++) {
            out.append("witness\tw")
                    .append(i)
                    .append("  ")
                    .append(witness(i).text())
                    .append('\n');
        }
        return out.append(quorum).toString();
    }

    private static VerifierKey witness(int i) {
        return VerifierKey.of(
                "w" + i + ".example", VerifierKey.COSIGNATURE, WITNESSES.get(i).x());
    }

    /** A proof of the second row, whose entry is that of the fifth, as the 71st of 100. */
    private static String proof(int cosigned) {
        TileWriter log = new TileWriter(0, tile -> new byte[0]);
        ChainLeaf leaf = ChainLeaf.of(SECRET, 5, ROWS.get(4).hash());
        for (int i = 0; i < 100; i++) {
            log.append(
                    i == 70
                            ? leaf.entry()
                            : ChainLeaf.of(SECRET, 1000 + i, Sha256.hex("" + i)).entry());
        }
        LogTree tree =
                Tile.tree(log.size(), tile -> Objects.requireNonNull(log.grown().get(tile)));
        String text = Checkpoint.of(ORIGIN, tree).text();
        SignedNote note = new SignedNote(text, List.of(LOG_KEY.sign(text, NOW, LOG::sign)));
        for (int i = 0; i < cosigned; i++) {
            note = note.with(witness(i).sign(text, NOW, WITNESSES.get(i)::sign));
        }
        LoggedRows rows = new LoggedRows(TestChain.USER, 2, leaf.commitment(), ROWS.subList(1, 5));
        return LogProof.of(rows.text().getBytes(StandardCharsets.UTF_8), 70, tree, note)
                .text();
    }

    @BeforeEach
    void write() throws Exception {
        events = write("events.json", ROWS);
        List<SigningKey> published = List.of(
                TestKey.ANCHOR.active(Purpose.ANCHOR, TestChain.START),
                TestKey.ONE.active(Purpose.EVENT, TestChain.START),
                LOG.active(Purpose.LOG, TestChain.START));
        keys = Files.writeString(
                folder.resolve("keys.json"),
                SignedPages.JSON
                        .valueToTree(SigningKeyManifest.of("policy.example/agent/v1", published)
                                .signed(TestKey.ANCHOR.keyId(), TestKey.ANCHOR::sign)
                                .tree())
                        .toString());
    }

    private Path write(String name, List<PolicyEvent> rows) throws IOException {
        StringBuilder out = new StringBuilder();
        for (PolicyEvent row : rows) {
            RowJson.append(out.append(out.length() == 0 ? '[' : ','), row);
        }
        return Files.writeString(folder.resolve(name), out.append(']').toString());
    }

    private List<Said> said(Path page, String proof, String policy, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(page.toString(), keys.toString(), "--tlog-proof"));
        arguments.add(Files.writeString(folder.resolve("row.tlog-proof"), proof).toString());
        if (!policy.isEmpty()) {
            arguments.add("--policy");
            arguments.add(Files.writeString(folder.resolve("witnesses.policy"), policy)
                    .toString());
        }
        arguments.addAll(List.of(more));
        List<Said> said = new ArrayList<>(Verifiers.ALL.said(arguments));
        if (more.length == 0 && !Verifiers.ALL.absent().contains("node verify.mjs")) {
            said.add(Verifiers.console(arguments));
        }
        return said;
    }

    @Test
    void every_verifier_says_where_the_row_is_in_the_log_and_who_has_witnessed_it() throws Exception {
        assertThat(said(events, proof(2), POLICY)).allSatisfy(each -> {
            assertThat(each.code()).as(each.toString()).isZero();
            assertThat(each.verdict())
                    .isEqualTo(
                            "ok 6 rows, head " + ROWS.get(5).hash() + ", in the log at index 70, witnessed by 2 of 3");
        });
        assertThat(said(events, proof(2), "")).allSatisfy(each -> {
            assertThat(each.code()).as(each.toString()).isZero();
            assertThat(each.verdict()).endsWith(", in the log at index 70, witnesses not checked");
        });
    }

    @Test
    void a_quorum_that_is_not_met_is_an_error_with_a_policy_and_only_then() throws Exception {
        assertThat(said(events, proof(1), POLICY)).allSatisfy(each -> {
            assertThat(each.code()).as(each.toString()).isOne();
            assertThat(each.line())
                    .containsIgnoringCase("broken at seq 2: the checkpoint is witnessed by 1 of 3, which is no quorum");
        });
        assertThat(said(events, proof(0), policy("quorum none\n")))
                .allSatisfy(each -> assertThat(each.verdict()).endsWith(", witnessed by 0 of 3"));
        assertThat(said(events, proof(2), policy("group a any w0 w1\ngroup b all a w2\nquorum b\n")))
                .allSatisfy(each -> assertThat(each.code()).as(each.toString()).isOne());
        assertThat(said(events, proof(3), policy("group a any w0 w1\ngroup b all a w2\nquorum b\n")))
                .allSatisfy(each -> assertThat(each.code()).as(each.toString()).isZero());
    }

    @Test
    void every_verifier_refuses_what_was_changed_at_the_same_row_and_for_the_same_reason() throws Exception {
        SoftAssertions all = new SoftAssertions();
        String proof = proof(2);
        String cosigned = proof.substring(proof.lastIndexOf("\u2014 "));
        refused(all, 2, "not in the log", it -> it.replace("index 70", "index 71"));
        refused(all, 2, "not in the log", it -> it.replace("index 70", "index 100"));
        refused(all, 2, "not in the log", it -> it.replaceFirst("index 70\n[^\n]+\n", "index 70\n"));
        refused(all, 2, "a signature of the checkpoint is wrong", it -> it.replace("\n100\n", "\n101\n"));
        refused(all, 2, "a signature of the checkpoint is wrong", it -> it.replace(cosigned, changed(cosigned)));
        refused(all, 2, "not signed by the log", it -> it.replaceFirst("\n\u2014 policy[^\n]+\n", "\n"));
        refused(
                all,
                3,
                "do not follow each other",
                it -> extra(it, json -> json.replace("\"seq\":2,\"u", "\"seq\":3,\"u")));
        refused(all, 2, "do not follow each other", it -> extra(it, json -> json.replace("40:02", "40:03")));
        refused(
                all,
                2,
                "not in the log",
                it -> extra(
                        it,
                        json -> json.replaceFirst("\"commitment\":\"..", "$0")
                                .replaceFirst(
                                        "\"commitment\":\".",
                                        "\"commitment\":\"" + (json.charAt(15) == 'A' ? 'B' : 'A'))));
        refused(all, 2, "another user", it -> extra(it, json -> json.replace("\"userId\":\"7c9", "\"userId\":\"7c8")));
        all.assertAll();
    }

    private static String changed(String line) {
        char c = line.charAt(line.length() - 20);
        return line.substring(0, line.length() - 20) + (c == 'A' ? 'B' : 'A') + line.substring(line.length() - 19);
    }

    private static String extra(String proof, UnaryOperator<String> change) {
        String coded = proof.substring(proof.indexOf("extra ") + 6, proof.indexOf("\nindex"));
        String json = new String(Base64.getDecoder().decode(coded), StandardCharsets.UTF_8);
        String other = change.apply(json);
        assertThat(other).isNotEqualTo(json);
        return proof.replace(coded, Base64.getEncoder().encodeToString(other.getBytes(StandardCharsets.UTF_8)));
    }

    private void refused(SoftAssertions all, long seq, String why, UnaryOperator<String> change) throws Exception {
        String proof = proof(2);
        String other = change.apply(proof);
        assertThat(other).isNotEqualTo(proof);
        for (Said each : said(events, other, POLICY)) {
            all.assertThat(each.code()).as(why + ": " + each).isOne();
            all.assertThat(each.line())
                    .as(each.toString())
                    .startsWith("broken at seq " + seq + ": ")
                    .containsIgnoringCase(why);
        }
    }

    @Test
    void a_chain_that_is_not_the_one_in_the_log_is_found() throws Exception {
        PolicyEvent first = ROWS.get(0);
        PolicyEvent second = ROWS.get(1);
        EventDraft draft = new EventDraft(second.kind(), Map.of("allowed", false));
        PolicyEvent other = EventChain.next(
                ChainHead.after(first),
                draft,
                second.eventId(),
                "AAAAAAAAAAAAAAAAAAAAAA",
                second.createdAt(),
                second.signingKeyId(),
                TestKey.ONE::sign);
        Path forked = write("forked.json", List.of(first, other));
        assertThat(said(forked, proof(2), POLICY))
                .allSatisfy(each -> assertThat(each.line())
                        .as(each.toString())
                        .containsIgnoringCase("broken at seq 2: the row is not the one that was logged"));
        Path cut = write("cut.json", List.of(first));
        assertThat(said(cut, proof(2), POLICY))
                .allSatisfy(each -> assertThat(each.line())
                        .as(each.toString())
                        .containsIgnoringCase(
                                "broken at seq 2: the chain ends here, but there is a proof of a later row"));
    }

    @Test
    void what_is_no_proof_or_no_policy_leaves_no_verdict() throws Exception {
        SoftAssertions all = new SoftAssertions();
        String proof = proof(2);
        for (String other : List.of(
                "",
                proof.replace("@v1", "@v2"),
                proof.replace("index 70", "index 070"),
                proof.replaceFirst("extra [^\n]+\n", ""),
                proof.replace("\n100\n", "\n\n100\n"),
                proof + "x\n",
                proof.substring(0, proof.length() - 1),
                extra(proof, json -> json.replaceFirst("\"v\":1", "\"v\":2")),
                extra(proof, json -> json.replaceFirst("\"seq\":2", "\"seq\":2,\"seq\":2")),
                extra(proof, json -> json.replaceFirst("\\{\"commitment", "{\"comment\":1,\"commitment")))) {
            for (Said each : said(events, other, POLICY)) {
                all.assertThat(each.code()).as(other + each).isEqualTo(2);
            }
        }
        for (String other : List.of(
                policy(""),
                policy("quorum w3\n"),
                policy("quorum w0\nquorum w0\n"),
                policy("group g 3 w0 w1\nquorum g\n"),
                policy("group g all w0 w0\nquorum g\n"),
                policy("group none all w0\nquorum w0\n"),
                policy("witness w3 " + witness(0).text() + "\nquorum w0\n"),
                policy("witness w3 " + LOG_KEY.text() + "\nquorum w0\n"),
                policy("log " + LOG_KEY.text() + "\nquorum w0\n"),
                policy("log " + LOG_KEY.text().replace("tlog+", "tlog2+") + "\nquorum none\n"),
                policy("mirror x\nquorum w0\n"),
                policy("quorum w0\r\n"))) {
            for (Said each : said(events, proof, other)) {
                all.assertThat(each.code()).as(other + each).isEqualTo(2);
            }
        }
        all.assertAll();
    }

    @Test
    void every_verifier_has_the_same_blanks_which_no_name_of_a_key_has() throws Exception {
        SoftAssertions all = new SoftAssertions();
        for (String blank : List.of("\u0085", "\u00a0", "\u2003", "\u2028", "\u3000")) {
            named(all, 2, "na" + blank + "me");
        }
        named(all, 0, "\ufeffna\ufeffm\u180e\u200b\u0086e");
        all.assertAll();
    }

    /** With a signature and a witness of a key that nobody knows. */
    private void named(SoftAssertions all, int code, String name) throws Exception {
        for (Said each : said(events, proof(2) + "\u2014 " + name + " AAAAAAA=\n", POLICY)) {
            all.assertThat(each.code()).as("proof " + each).isEqualTo(code);
        }
        for (Said each : said(events, proof(2), policy("witness w9 " + name + "+00112233+Bqq7zA==\nquorum w0\n"))) {
            all.assertThat(each.code()).as("policy " + each).isEqualTo(code);
        }
    }

    @Test
    void a_proof_of_a_row_that_was_verified_before_leaves_no_verdict() throws Exception {
        PolicyEvent third = ROWS.get(2);
        String from = "3," + third.hash() + "," + third.signingKeyId() + ",2026-11-21T09:40:02.000000Z";

        for (Said each : said(events, proof(2), POLICY, "--from", from)) {
            assertThat(each.code()).as(each.toString()).isEqualTo(2);
            assertThat(each.line()).contains("verified before");
        }
    }
}
