package dev.agentpolicy.domain.event.signing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed manifests are refused, and only some keys may sign one. */
class ReadingKeysTest {
    private static final Document MANIFEST = TestJson.object(TestJson.file("vectors/signing-keys.json"));
    private static final Instant LATER = TestChain.START.plusSeconds(600);

    @ParameterizedTest
    @ValueSource(strings = {"issuer", "manifestVersion", "updatedAt", "scheme", "keys"})
    void a_manifest_without_one_of_its_members_is_refused(String name) {
        assertThat(read(members -> members.remove(name))).containsExactly(name + " is missing.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"event", "canonicalization", "hash", "signature"})
    void a_scheme_must_be_complete_and_of_this_format(String name) {
        String only = (String) ((Document) MANIFEST.get("scheme")).get(name);

        assertThat(read(within("scheme", scheme -> scheme.remove(name))))
                .containsExactly("scheme." + name + " is missing.");
        assertThat(read(within("scheme", scheme -> scheme.put(name, "other"))))
                .containsExactly("scheme." + name + " must be " + only + ".");
    }

    @Test
    void a_signature_needs_a_key_id_and_a_value() {
        assertThat(read(within("signature", signature -> signature.remove("keyId"))))
                .containsExactly("signature.keyId is missing.");
        assertThat(read(within("signature", signature -> signature.remove("value"))))
                .containsExactly("signature.value is missing.");
        assertThat(read(members -> members.remove("signature"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kty", "crv", "x", "kid", "purpose", "status", "validFrom"})
    void a_key_without_one_of_its_members_is_refused(String name) {
        assertThat(read(key(key -> key.remove(name)))).containsExactly("keys[0]." + name + " is missing.");
    }

    @Test
    void a_malformed_key_has_one_problem() {
        assertThat(read(key(key -> key.put("kid", TestKey.STRANGER.keyId()))))
                .containsExactly(
                        "keys[0].kid is not that of a sound key: The id of a signing key must be the thumbprint"
                                + " of its 32 bytes.");
    }

    @Test
    void a_key_may_only_be_used_to_verify() {
        assertThat(read(key(key -> key.put("key_ops", List.of("sign")))))
                .containsExactly("keys[0].key_ops[0] must be verify.");
        assertThat(read(key(key -> key.put("use", "enc")))).containsExactly("keys[0].use must be sig.");
        assertThat(read(key(key -> key.put("alg", "ES256")))).containsExactly("keys[0].alg must be Ed25519.");
    }

    @Test
    void an_attestation_needs_a_key_id_and_a_signature() {
        Document whole = Document.of(Map.of("byKeyId", TestKey.ROOT.keyId(), "signature", TestKey.ROOT.sign("x")));
        Document unsigned = Document.of(Map.of("byKeyId", TestKey.ROOT.keyId()));
        Document nobodys = Document.of(Map.of("signature", TestKey.ROOT.sign("x")));

        assertThat(read(key(key -> key.put("attestations", List.of(whole))))).isEmpty();
        assertThat(read(key(key -> key.put("attestations", List.of(whole, unsigned)))))
                .containsExactly("keys[0].attestations[1].signature is missing.");
        assertThat(read(key(key -> key.put("attestations", List.of(nobodys)))))
                .containsExactly("keys[0].attestations[0].byKeyId is missing.");
    }

    @Test
    void a_manifest_is_signed_by_the_key_it_names() {
        SigningKey anchor = TestKey.ANCHOR.active(Purpose.ANCHOR, TestChain.START);
        SigningKey root = TestKey.ROOT.active(Purpose.ROOT, TestChain.START);
        SigningKeyManifest manifest = SigningKeyManifest.of("me", List.of(anchor, root));

        assertThat(manifest.signed(anchor.kid(), TestKey.ANCHOR::sign).isSigned(TestChain.CHECK))
                .isTrue();
        assertThat(manifest.signed(root.kid(), TestKey.ROOT::sign).isSigned(TestChain.CHECK))
                .isTrue();
        assertThat(manifest.signed(anchor.kid(), TestKey.ROOT::sign).isSigned(TestChain.CHECK))
                .isFalse();
    }

    @Test
    void a_revoked_key_signs_no_manifest() {
        SigningKey stolen =
                TestKey.ANCHOR.active(Purpose.ANCHOR, TestChain.START).compromised(LATER, LATER);

        assertThat(SigningKeyManifest.of("me", List.of(stolen))
                        .signed(stolen.kid(), TestKey.ANCHOR::sign)
                        .isSigned(TestChain.CHECK))
                .isFalse();
    }

    @Test
    void a_manifest_was_updated_when_its_keys_last_changed() {
        SigningKey active = TestKey.ONE.active(Purpose.EVENT, TestChain.START);
        SigningKey retired = TestKey.TWO.active(Purpose.EVENT, TestChain.START).retired(LATER);
        SigningKey stolen = retired.compromised(LATER.plusSeconds(1), LATER);

        assertThat(updatedAt(active)).isEqualTo(TestChain.START);
        assertThat(updatedAt(active, retired)).isEqualTo(LATER);
        assertThat(updatedAt(active, stolen)).isEqualTo(LATER.plusSeconds(1));
        assertThat(updatedAt()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void a_planned_end_of_a_key_does_not_date_the_manifest() {
        assertThat(updatedAt(ending(KeyStatus.ACTIVE))).isEqualTo(TestChain.START);
        assertThat(updatedAt(ending(KeyStatus.PENDING))).isEqualTo(Instant.EPOCH);
        assertThat(updatedAt(ending(KeyStatus.RETIRED))).isEqualTo(LATER);
    }

    @Test
    void the_version_counts_every_key_every_change_and_every_attestation() {
        SigningKey retired = TestKey.TWO.active(Purpose.EVENT, TestChain.START).retired(LATER);
        SigningKey attested =
                TestKey.ONE.active(Purpose.EVENT, TestChain.START).attestedBy(TestKey.ROOT.keyId(), TestKey.ROOT::sign);

        assertThat(SigningKeyManifest.of("me", List.of(retired, attested)).version())
                .isEqualTo(3 + 3);
    }

    private static SigningKey ending(KeyStatus status) {
        return new SigningKey(
                TestKey.ONE.keyId(),
                TestKey.ONE.x(),
                Purpose.EVENT,
                status,
                TestChain.START,
                LATER,
                null,
                null,
                null,
                List.of());
    }

    private static Instant updatedAt(SigningKey... keys) {
        return SigningKeyManifest.of("me", List.of(keys)).updatedAt();
    }

    private static Consumer<Map<String, @Nullable Object>> within(
            String name, Consumer<Map<String, @Nullable Object>> change) {
        return members -> members.put(name, changed((Document) members.get(name), change));
    }

    /** The manifest of one key, with one member changed. */
    private static Consumer<Map<String, @Nullable Object>> key(Consumer<Map<String, @Nullable Object>> change) {
        return members -> members.put(
                "keys", List.of(changed(TestJson.objects(MANIFEST, "keys").get(0), change)));
    }

    private static List<String> read(Consumer<Map<String, @Nullable Object>> change) {
        return SigningKeyManifest.read(changed(MANIFEST, change)).problems().stream()
                .map(Problem::message)
                .toList();
    }

    private static Document changed(Document document, Consumer<Map<String, @Nullable Object>> change) {
        Map<String, @Nullable Object> members = new HashMap<>(document.members());
        change.accept(members);
        return Document.of(members);
    }
}
