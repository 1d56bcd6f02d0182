package dev.agentpolicy.domain.event.signing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The manifests that a verifier trusts with its pinned keys (docs/verify.md, Which keys are trusted). */
class TrustedManifestTest {
    private static final Instant MADE = Instant.parse("2026-11-01T00:00:00Z");
    private static final TestKey THIRD = TestKey.of("04".repeat(32));
    private static final SigningKey EVENT = TestKey.ONE.active(Purpose.EVENT, MADE);
    private static final SigningKey ANCHOR = TestKey.ANCHOR.active(Purpose.ANCHOR, MADE);
    private static final SigningKey ROOT = TestKey.ROOT.active(Purpose.ROOT, MADE);
    private static final SigningKey NEXT = TestKey.STRANGER.active(Purpose.ANCHOR, MADE);
    private static final SigningKey NEXT_BY_ANCHOR = NEXT.attestedBy(ANCHOR.kid(), TestKey.ANCHOR::sign);
    private static final SigningKey NEXT_BY_ROOT = NEXT.attestedBy(ROOT.kid(), TestKey.ROOT::sign);

    private static final KnownKeys KNOWS_ANCHOR = new KnownKeys(null, ANCHOR.kid(), null);
    private static final KnownKeys KNOWS_ROOT = new KnownKeys(null, null, ROOT.kid());
    private static final KnownKeys KNOWS_BOTH = new KnownKeys(null, ANCHOR.kid(), ROOT.kid());
    private static final String ANOTHER = "The manifest is signed by another key than the anchor key that is known.";
    private static final String NOT_ITS_OWN = "The manifest is not signed by its anchor or root key.";

    @Test
    void the_known_anchor_key_is_trusted() {
        assertThat(of(KNOWS_ANCHOR, TestKey.ANCHOR, EVENT, ANCHOR, ROOT)).isEqualTo("known");
    }

    @Test
    void without_a_pinned_anchor_key_the_one_of_the_manifest_is_trusted_on_first_use() {
        assertThat(of(KnownKeys.NONE, TestKey.ANCHOR, EVENT, ANCHOR, ROOT)).isEqualTo("first use");
        assertThat(of(KNOWS_ROOT, TestKey.ANCHOR, EVENT, ANCHOR, ROOT)).isEqualTo("first use");
    }

    @Test
    void a_manifest_without_a_signature_is_refused_whatever_is_known() {
        SigningKeyManifest unsigned = SigningKeyManifest.of("policy.example", List.of(EVENT, ANCHOR, ROOT));
        for (KnownKeys known : List.of(KnownKeys.NONE, KNOWS_ANCHOR, KNOWS_ROOT, KNOWS_BOTH)) {
            assertThat(shown(unsigned, known)).isEqualTo("The manifest is not signed.");
        }
    }

    @Test
    void a_manifest_edited_after_it_was_signed_is_refused_whatever_is_known() {
        SigningKeyManifest signed = manifest(TestKey.ANCHOR, EVENT, ANCHOR, ROOT);
        List<SigningKey> keys = new ArrayList<>(signed.keys());
        keys.replaceAll(key -> key.kid().equals(EVENT.kid()) ? TestKey.ONE.active(Purpose.SANDBOX, MADE) : key);
        SigningKeyManifest edited = new SigningKeyManifest(
                signed.issuer(), signed.version(), signed.updatedAt(), keys, signed.signature(), null);
        for (KnownKeys known : List.of(KnownKeys.NONE, KNOWS_ANCHOR, KNOWS_ROOT, KNOWS_BOTH)) {
            assertThat(shown(edited, known)).isEqualTo(NOT_ITS_OWN);
        }
    }

    @Test
    void a_manifest_signed_by_another_anchor_key_is_refused() {
        assertThat(of(KNOWS_ANCHOR, TestKey.STRANGER, EVENT, ANCHOR, ROOT, NEXT))
                .isEqualTo(ANOTHER);
        assertThat(of(KNOWS_BOTH, TestKey.STRANGER, EVENT, ANCHOR, ROOT, NEXT)).isEqualTo(ANOTHER);
        assertThat(of(KNOWS_ANCHOR, TestKey.STRANGER, EVENT, ROOT, NEXT)).isEqualTo(ANOTHER);
    }

    @Test
    void a_new_anchor_key_is_trusted_if_a_known_key_attests_it() {
        assertThat(of(KNOWS_ANCHOR, TestKey.STRANGER, EVENT, ANCHOR, ROOT, NEXT_BY_ANCHOR))
                .isEqualTo("attested by " + ANCHOR.kid());
        assertThat(of(KNOWS_BOTH, TestKey.STRANGER, EVENT, ANCHOR, ROOT, NEXT_BY_ROOT))
                .isEqualTo("attested by " + ROOT.kid());
        assertThat(of(KNOWS_ROOT, TestKey.STRANGER, EVENT, ANCHOR, ROOT, NEXT_BY_ROOT))
                .isEqualTo("attested by " + ROOT.kid());
    }

    @Test
    void anchor_keys_in_between_may_attest_as_well() {
        SigningKey third = THIRD.active(Purpose.ANCHOR, MADE).attestedBy(NEXT.kid(), TestKey.STRANGER::sign);

        assertThat(of(KNOWS_ANCHOR, THIRD, EVENT, ANCHOR, ROOT, NEXT_BY_ANCHOR, third))
                .isEqualTo("attested by " + ANCHOR.kid());
        assertThat(of(KNOWS_ANCHOR, THIRD, EVENT, ANCHOR, ROOT, NEXT, third)).isEqualTo(ANOTHER);
    }

    @Test
    void a_root_key_that_is_only_listed_attests_no_anchor_key() {
        assertThat(of(KNOWS_ANCHOR, TestKey.STRANGER, EVENT, ANCHOR, ROOT, NEXT_BY_ROOT))
                .isEqualTo(ANOTHER);
    }

    @Test
    void neither_an_event_key_nor_a_revoked_key_attests_an_anchor_key() {
        SigningKey byEvent = NEXT.attestedBy(EVENT.kid(), TestKey.ONE::sign);
        KnownKeys mistaken = new KnownKeys(null, EVENT.kid(), null);

        assertThat(of(KNOWS_ANCHOR, TestKey.STRANGER, EVENT, ANCHOR, ROOT, byEvent))
                .isEqualTo(ANOTHER);
        assertThat(of(mistaken, TestKey.STRANGER, EVENT, ANCHOR, ROOT, byEvent)).isEqualTo(ANOTHER);
        assertThat(of(KNOWS_ANCHOR, TestKey.STRANGER, EVENT, ANCHOR.compromised(MADE, MADE), ROOT, NEXT_BY_ANCHOR))
                .isEqualTo(ANOTHER);
    }

    @Test
    void the_root_key_may_sign_a_manifest_only_if_it_is_known() {
        assertThat(of(KNOWS_ROOT, TestKey.ROOT, EVENT, ANCHOR, ROOT)).isEqualTo("known");
        assertThat(of(KNOWS_BOTH, TestKey.ROOT, EVENT, ANCHOR, ROOT)).isEqualTo("known");
        assertThat(of(KNOWS_ANCHOR, TestKey.ROOT, EVENT, ANCHOR, ROOT)).isEqualTo(ANOTHER);
        assertThat(of(KnownKeys.NONE, TestKey.ROOT, EVENT, ANCHOR, ROOT)).isEqualTo(ANOTHER);
    }

    @Test
    void an_event_key_signs_no_manifest() {
        assertThat(of(KnownKeys.NONE, TestKey.ONE, EVENT, ANCHOR, ROOT)).isEqualTo(NOT_ITS_OWN);
    }

    @Test
    void a_manifest_that_lists_a_key_twice_cannot_be_read() {
        SigningKeyManifest twice = manifest(TestKey.ANCHOR, EVENT, TestKey.ONE.active(Purpose.SANDBOX, MADE), ANCHOR);

        assertThat(SigningKeyManifest.read(TestJson.object(CanonicalForm.write(twice.tree())))
                        .problems())
                .extracting(Problem::message)
                .containsExactly("keys must not list a key twice.");
    }

    private static String of(KnownKeys known, TestKey by, SigningKey... keys) {
        return shown(manifest(by, keys), known);
    }

    private static SigningKeyManifest manifest(TestKey by, SigningKey... keys) {
        return SigningKeyManifest.of("policy.example", List.of(keys)).signed(by.keyId(), by::sign);
    }

    private static String shown(SigningKeyManifest manifest, KnownKeys known) {
        return TrustedManifest.of(manifest, known, TestChain.CHECK)
                .fold(
                        trusted -> trusted.isFirstUse()
                                ? "first use"
                                : trusted.attestedBy() == null ? "known" : "attested by " + trusted.attestedBy(),
                        problems -> problems.stream().map(Problem::message).collect(Collectors.joining()));
    }
}
