package dev.agentpolicy.domain.event.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.EmergencyVectors;
import dev.agentpolicy.domain.event.chain.GoldenVectorsTest;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SigningKeyManifestTest {
    private static final SigningKey ONE = TestKey.ONE.active(Purpose.EVENT, TestChain.START);
    private static final SigningKeyManifest MANIFEST = GoldenVectorsTest.manifest();

    @Test
    void the_same_keys_in_any_order_make_the_same_bytes() {
        List<SigningKey> reversed = new ArrayList<>(MANIFEST.keys());
        Collections.reverse(reversed);
        SigningKeyManifest again =
                SigningKeyManifest.of(MANIFEST.issuer(), reversed).signed(TestKey.ANCHOR.keyId(), TestKey.ANCHOR::sign);

        assertThat(again).isEqualTo(MANIFEST);
    }

    @Test
    void the_version_grows_with_every_change_of_a_key() {
        long last = 0;
        for (KeyStatus status : List.of(KeyStatus.PENDING, KeyStatus.ACTIVE, KeyStatus.RETIRED)) {
            SigningKey key = new SigningKey(
                    ONE.kid(), ONE.x(), Purpose.EVENT, status, TestChain.START, null, null, null, null, List.of());
            long version = SigningKeyManifest.of("me", List.of(key)).version();
            assertThat(version).isGreaterThan(last);
            last = version;
        }
        SigningKey revoked = EmergencyVectors.lost(TestKey.ONE, TestChain.START);
        assertThat(SigningKeyManifest.of("me", List.of(revoked)).version()).isGreaterThan(last);
        SigningKey attested = ONE.attestedBy(TestKey.ROOT.keyId(), TestKey.ROOT::sign);
        assertThat(SigningKeyManifest.of("me", List.of(attested)).version())
                .isGreaterThan(SigningKeyManifest.of("me", List.of(ONE)).version());
    }

    @Test
    void a_pending_key_does_not_date_the_manifest() {
        SigningKey pending = new SigningKey(
                TestKey.TWO.keyId(),
                TestKey.TWO.x(),
                Purpose.EVENT,
                KeyStatus.PENDING,
                TestChain.START.plusSeconds(600),
                null,
                null,
                null,
                null,
                List.of());

        assertThat(SigningKeyManifest.of("me", List.of(ONE, pending)).updatedAt())
                .isEqualTo(TestChain.START);
    }

    @Test
    void another_public_key_under_a_known_id_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SigningKey(
                        ONE.kid(),
                        TestKey.STRANGER.x(),
                        Purpose.EVENT,
                        KeyStatus.ACTIVE,
                        TestChain.START,
                        null,
                        null,
                        null,
                        null,
                        List.of()));
        assertThat(read(key -> key.put("x", TestKey.STRANGER.x()))).contains("must be the thumbprint of its 32 bytes");
    }

    @Test
    void a_key_of_another_kind_is_refused() {
        assertThat(read(key -> key.put("crv", "X25519"))).contains("crv must be Ed25519");
        assertThat(read(key -> key.put("kty", "EC"))).contains("kty must be OKP");
        assertThat(read(key -> key.put("purpose", "every thing"))).contains("purpose must be");
        assertThat(read(key -> key.put("d", "secret"))).contains("d is not a known field");
        assertThat(read(key -> key.remove("status"))).contains("status is missing");
    }

    @Test
    void an_edited_manifest_is_not_signed() {
        SigningKeyManifest edited = new SigningKeyManifest(
                MANIFEST.issuer(),
                MANIFEST.version() + 1,
                MANIFEST.updatedAt(),
                MANIFEST.keys(),
                MANIFEST.signature(),
                null);

        assertThat(MANIFEST.isSigned(TestChain.CHECK)).isTrue();
        assertThat(edited.isSigned(TestChain.CHECK)).isFalse();
        assertThat(SigningKeyManifest.of("me", MANIFEST.keys()).isSigned(TestChain.CHECK))
                .isFalse();
    }

    @Test
    void only_anchor_and_root_keys_sign_manifests() {
        assertThat(SigningKeyManifest.of("me", List.of(ONE))
                        .signed(ONE.kid(), TestKey.ONE::sign)
                        .isSigned(TestChain.CHECK))
                .isFalse();
        assertThat(SigningKeyManifest.of("me", MANIFEST.keys())
                        .signed(TestKey.STRANGER.keyId(), TestKey.STRANGER::sign)
                        .isSigned(TestChain.CHECK))
                .isFalse();
    }

    private static String read(Consumer<Map<String, @Nullable Object>> tampering) {
        Document document = TestJson.object(TestJson.file("vectors/signing-keys.json"));
        Map<String, @Nullable Object> key =
                new HashMap<>(TestJson.objects(document, "keys").get(1).members());
        tampering.accept(key);
        Map<String, @Nullable Object> manifest = new HashMap<>(document.members());
        manifest.put("keys", List.of(Document.of(key)));
        return SigningKeyManifest.read(Document.of(manifest)).problems().toString();
    }
}
