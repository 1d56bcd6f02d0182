package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.event.signing.TrustedManifest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The code reproduces docs/vectors byte for byte, and reads them back. */
public class GoldenVectorsTest {
    private static final Document PAGE = TestJson.object(TestJson.file("vectors/events.json"));
    private static final List<Document> ROWS = TestJson.objects(PAGE, "events");
    /** Line feeds are written as pilcrows, because the canonical form refuses them. */
    private static final List<Document> STEPS = TestJson.objects(
            TestJson.object("{\"steps\":" + TestJson.file("vectors/steps.json").replace("\\n", "¶") + "}"), "steps");

    @Test
    void the_first_key_has_the_thumbprint_that_rfc_8037_prints() {
        assertThat(TestKey.ONE.x()).isEqualTo("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
        assertThat(TestKey.ONE.keyId()).isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    @Test
    void every_row_is_reproduced_from_its_inputs() {
        ChainHead head = ChainHead.genesis(TestChain.USER);
        for (Document row : ROWS) {
            TestKey key = List.of(TestKey.ONE, TestKey.TWO).stream()
                    .filter(k -> k.keyId().equals(row.get("signingKeyId")))
                    .findFirst()
                    .orElseThrow();
            PolicyEvent wanted = RowJson.read(row).orElseThrow();
            Document payload = (Document) row.get("payload");
            Map<String, @Nullable Object> draft = new HashMap<>(payload.members());
            String salt = (String) draft.remove("salt");

            PolicyEvent made = EventChain.next(
                    head,
                    new EventDraft(wanted.kind(), draft),
                    wanted.eventId(),
                    salt,
                    wanted.createdAt(),
                    key.keyId(),
                    key::sign);

            assertThat(made).isEqualTo(wanted);
            head = ChainHead.after(made);
        }
        assertThat(head.hash()).isEqualTo("1ecf81536bf57e069ea8e65d5672ae62af8dc33ef9eb91683113b9b7726c2cdc");
    }

    @Test
    void every_intermediate_step_has_the_bytes_of_the_vectors() {
        assertThat(STEPS).hasSameSizeAs(ROWS);
        for (int i = 0; i < ROWS.size(); i++) {
            PolicyEvent row = RowJson.read(ROWS.get(i)).orElseThrow();
            Document step = STEPS.get(i);

            assertThat(row.payload()).isEqualTo(step.get("payloadCanonical"));
            assertThat(Sha256.hex(Messages.payload(row.payload()))).isEqualTo(step.get("payloadHash"));
            assertThat(row.signature()).isEqualTo(step.get("signature"));
            assertThat(shown(Messages.header(row))).isEqualTo(step.get("hashInput"));
            assertThat(shown(Messages.eventSignature(row.hash()))).isEqualTo(step.get("signatureInput"));
        }
    }

    @Test
    void a_rotation_is_reproduced_from_its_inputs() {
        PolicyEvent row = RowJson.read(ROWS.get(4)).orElseThrow();
        ChainHead before = ChainHead.after(RowJson.read(ROWS.get(3)).orElseThrow());
        SigningKey next = TestKey.TWO.active(SigningKey.Purpose.EVENT, row.createdAt());

        EventDraft draft = KeyRotation.scheduled(before, TestKey.ONE.keyId(), next, TestKey.TWO::sign)
                .draft();

        Map<String, @Nullable Object> salted = new HashMap<>(draft.payload());
        salted.put("salt", ((Document) ROWS.get(4).get("payload")).get("salt"));
        assertThat(CanonicalForm.write(salted)).isEqualTo(row.payload());
    }

    @Test
    void the_head_is_reproduced_and_read_back() {
        Document document = (Document) PAGE.get("head");
        SignedHead head = SignedHead.read(document).orElseThrow();
        ChainHead end = ChainHead.after(RowJson.read(ROWS.get(5)).orElseThrow());

        assertThat(SignedHead.issue(end, head.issuedAt(), TestKey.TWO.keyId(), TestKey.TWO::sign))
                .isEqualTo(head);
        StringBuilder json = new StringBuilder();
        head.appendJson(json);
        assertThat(TestJson.canonical(json.toString())).isEqualTo(CanonicalForm.write(document));
    }

    @Test
    void the_manifest_is_reproduced_from_the_keys() {
        Document document = TestJson.object(TestJson.file("vectors/signing-keys.json"));
        SigningKeyManifest manifest = manifest();

        assertThat(CanonicalForm.write(manifest.tree())).isEqualTo(CanonicalForm.write(document));
        assertThat(SigningKeyManifest.read(document).orElseThrow()).isEqualTo(manifest);
        assertThat(manifest.isSigned(TestChain.CHECK)).isTrue();
    }

    @Test
    void the_chain_verifies_up_to_its_head() {
        verifies("vectors/");
    }

    @Test
    void a_chain_with_an_erased_payload_and_a_lost_key_verifies_up_to_its_head() {
        verifies("vectors/emergency/");
    }

    @Test
    void the_chain_with_the_lost_key_is_reproduced_from_its_inputs() {
        Document page = TestJson.object(TestJson.file("vectors/emergency/events.json"));
        Document keys = TestJson.object(TestJson.file("vectors/emergency/signing-keys.json"));

        assertThat(TestJson.canonical(EmergencyVectors.page())).isEqualTo(CanonicalForm.write(page));
        assertThat(CanonicalForm.write(EmergencyVectors.manifest().tree())).isEqualTo(CanonicalForm.write(keys));
    }

    private static void verifies(String folder) {
        Document page = TestJson.object(TestJson.file(folder + "events.json"));
        Document keys = TestJson.object(TestJson.file(folder + "signing-keys.json"));
        List<PolicyEvent> rows = new ArrayList<>();
        TestJson.objects(page, "events")
                .forEach(row -> rows.add(RowJson.read(row).orElseThrow()));
        List<Erasure> erasures = page.members().containsKey("erasures")
                ? TestJson.objects(page, "erasures").stream()
                        .map(entry -> Erasure.read(entry).orElseThrow())
                        .toList()
                : List.of();
        SignedHead head = SignedHead.read((Document) page.get("head")).orElseThrow();
        SigningKeyManifest manifest = SigningKeyManifest.read(keys).orElseThrow();
        ChainVerifier verifier = new ChainVerifier(
                TrustedManifest.of(
                                manifest,
                                new KnownKeys(null, TestKey.ANCHOR.keyId(), TestKey.ROOT.keyId()),
                                TestChain.CHECK)
                        .orElseThrow()
                        .keys(SigningKey.Purpose.EVENT),
                TestChain.CHECK,
                Map.of(head.seq(), head.hash()));

        ChainVerdict verdict = verifier.rows(ChainPoint.pinned(TestChain.USER, TestKey.ONE.keyId()), rows, erasures)
                .then(verifier::end)
                .then(point -> verifier.head(point, head, head.issuedAt()));

        ChainPoint upTo = verdict.fold(ChainVerdict.Intact::upTo, broken -> {
            throw new AssertionError(broken.toString());
        });
        assertThat(upTo.seq()).isEqualTo(head.seq());
        assertThat(upTo.hash()).isEqualTo(head.hash());
        assertThat(upTo.signingKeyId()).isEqualTo(TestKey.TWO.keyId());
        assertThat(upTo.createdAt()).isEqualTo(rows.get(rows.size() - 1).createdAt());
        assertThat(upTo.doubtfulFrom()).isZero();
        assertThat(upTo.erased().count())
                .isEqualTo(rows.stream().filter(row -> row.payload() == null).count());
        assertThat(manifest.isSigned(TestChain.CHECK)).isTrue();
    }

    public static SigningKeyManifest manifest() {
        Instant rotated = Instant.parse("2026-11-21T10:00:00Z");
        Instant made = Instant.parse("2026-11-01T00:00:00Z");
        SigningKey old = new SigningKey(
                TestKey.ONE.keyId(),
                TestKey.ONE.x(),
                SigningKey.Purpose.EVENT,
                SigningKey.KeyStatus.RETIRED,
                made,
                rotated,
                null,
                null,
                null,
                List.of());
        SigningKey next = TestKey.TWO
                .active(SigningKey.Purpose.EVENT, rotated)
                .attestedBy(TestKey.ONE.keyId(), TestKey.ONE::sign);
        SigningKey anchor = TestKey.ANCHOR.active(SigningKey.Purpose.ANCHOR, made);
        return SigningKeyManifest.of("policy.example/agent/v1", List.of(next, anchor, old))
                .signed(TestKey.ANCHOR.keyId(), TestKey.ANCHOR::sign);
    }

    private static String shown(String text) {
        return text.replace('\n', '¶');
    }
}
