package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scheduled and emergency rotations of the signing key (docs/reference/events.md, Rotation). */
class KeyRotationTest {
    private static final SigningKey ONE = TestKey.ONE.active(Purpose.EVENT, TestChain.START);
    private static final SigningKey TWO = TestKey.TWO.active(Purpose.EVENT, TestChain.START);
    private static final SigningKey ROOT = TestKey.ROOT.active(Purpose.ROOT, TestChain.START);
    private static final SigningKey TWO_ATTESTED = TWO.attestedBy(ROOT.kid(), TestKey.ROOT::sign);
    private static final Instant BEFORE_ALL = TestChain.START.minusSeconds(1);
    private static final Instant AFTER_ALL = TestChain.START.plusSeconds(3_600);

    @Test
    void a_verifier_that_pinned_the_first_key_accepts_the_next() {
        TestChain chain =
                TestChain.ofDecisions(2).rotateTo(TestKey.TWO, TestKey.ONE).decision(TestKey.TWO);

        assertThat(verified(chain, ONE, TWO)).isEqualTo("intact up to 4");
        assertThat(verified(TestChain.ofDecisions(2).rotateTo(TestKey.TWO, TestKey.ONE), ONE, TWO))
                .isEqualTo("intact up to 3");
    }

    @Test
    void the_old_key_signs_nothing_after_its_rotation() {
        TestChain chain =
                TestChain.ofDecisions(2).rotateTo(TestKey.TWO, TestKey.ONE).decision(TestKey.ONE);

        assertThat(verified(chain, ONE, TWO))
                .isEqualTo("broken at 4: The row is signed by another key than the chain expects.");
    }

    @Test
    void the_new_key_signs_nothing_before_its_rotation() {
        assertThat(verified(TestChain.ofDecisions(2).decision(TestKey.TWO), ONE, TWO))
                .isEqualTo("broken at 3: The row is signed by another key than the chain expects.");
    }

    @Test
    void a_rotation_from_a_key_that_did_not_sign_is_refused() {
        TestChain chain = TestChain.ofDecisions(2).rotateTo(TestKey.TWO, TestKey.STRANGER);

        assertThat(verified(chain, ONE, TWO))
                .isEqualTo("broken at 3: The key rotation is not from the key that signed so far.");
    }

    @Test
    void a_rotation_to_a_key_that_is_in_no_manifest_is_refused() {
        TestChain chain = TestChain.ofDecisions(2).rotateTo(TestKey.TWO, TestKey.ONE);

        assertThat(verified(chain, ONE))
                .isEqualTo("broken at 3: The new key is not in the manifest for this kind of chain.");
    }

    @Test
    void a_rotation_to_a_key_of_the_sandbox_is_refused() {
        TestChain chain = TestChain.ofDecisions(2).rotateTo(TestKey.TWO, TestKey.ONE);

        assertThat(verified(chain, ONE, TestKey.TWO.active(Purpose.SANDBOX, TestChain.START)))
                .isEqualTo("broken at 3: The new key is not in the manifest for this kind of chain.");
    }

    @Test
    void a_proof_made_for_another_place_of_the_chain_is_refused() {
        ChainHead elsewhere = TestChain.ofDecisions(1).head();
        EventDraft draft = KeyRotation.scheduled(elsewhere, ONE.kid(), TWO, TestKey.TWO::sign)
                .draft();

        assertThat(verified(TestChain.ofDecisions(2).append(draft, TestKey.ONE), ONE, TWO))
                .isEqualTo("broken at 3: The new key is not proven to be in the hands of the service.");
    }

    @Test
    void a_rotation_with_an_erased_or_a_strange_payload_is_refused() {
        TestChain chain = TestChain.ofDecisions(1).rotateTo(TestKey.TWO, TestKey.ONE);
        List<PolicyEvent> erased = List.of(
                chain.rows().get(0), EmergencyVectors.erased(chain.rows().get(1)));
        Map<String, @Nullable Object> members =
                new HashMap<>(KeyRotation.scheduled(TestChain.ofDecisions(1).head(), ONE.kid(), TWO, TestKey.TWO::sign)
                        .draft()
                        .payload());
        members.put("reason", "whim");
        TestChain strange =
                TestChain.ofDecisions(1).append(new EventDraft(EventKind.SIGNING_KEY_ROTATED, members), TestKey.ONE);

        assertThat(verified(erased, ONE, TWO))
                .isEqualTo("broken at 2: The payload of a key rotation must not be erased.");
        assertThat(verified(strange, ONE, TWO))
                .isEqualTo("broken at 2: The key rotation is malformed: reason must be scheduled or compromise.");
    }

    @Test
    void after_a_theft_the_rows_the_operator_vouches_for_count() {
        TestChain chain =
                TestChain.ofDecisions(3).rescueTo(TestKey.TWO, TestKey.ONE, 3).decision(TestKey.TWO);

        assertThat(verified(chain, lostSince(BEFORE_ALL), TWO_ATTESTED, ROOT)).isEqualTo("intact up to 5");
    }

    @Test
    void after_a_theft_the_rows_the_operator_does_not_vouch_for_do_not_count() {
        TestChain chain =
                TestChain.ofDecisions(3).rescueTo(TestKey.TWO, TestKey.ONE, 1).decision(TestKey.TWO);

        assertThat(verified(chain, lostSince(BEFORE_ALL), TWO_ATTESTED, ROOT))
                .isEqualTo("broken at 2: The operator does not vouch for this row of a compromised key.");
    }

    @Test
    void a_thief_cannot_declare_the_emergency() {
        TestChain chain = TestChain.ofDecisions(2).rescueTo(TestKey.TWO, TestKey.ONE, 2);
        SigningKey attestedByThief = TWO.attestedBy(ONE.kid(), TestKey.ONE::sign);
        String refused = "broken at 3: The new key of an emergency is not attested by the root key that was given.";

        assertThat(verified(chain, ONE, TWO, ROOT)).isEqualTo(refused);
        assertThat(verified(chain, ONE, attestedByThief, ROOT)).isEqualTo(refused);
        assertThat(verified(chain, ONE, TWO_ATTESTED)).isEqualTo(refused);
    }

    @Test
    void no_root_key_is_trusted_because_a_manifest_lists_it() {
        TestChain chain = TestChain.ofDecisions(2).rescueTo(TestKey.TWO, TestKey.ONE, 2);
        SigningKeys listed = SigningKeys.of(List.of(ONE, TWO_ATTESTED, ROOT), Purpose.EVENT);

        assertThat(verified(chain.rows(), listed))
                .isEqualTo("broken at 3: The key rotation is an emergency, and no root key was given to vouch for it.");
    }

    @Test
    void a_root_key_known_from_elsewhere_is_the_only_one_trusted() {
        TestChain chain = TestChain.ofDecisions(2).rescueTo(TestKey.TWO, TestKey.ONE, 2);
        SigningKeys any = SigningKeys.of(List.of(ONE, TWO_ATTESTED, ROOT), Purpose.EVENT);

        assertThat(verified(chain.rows(), any.trustingRoot(ROOT.kid()))).isEqualTo("intact up to 3");
        assertThat(verified(chain.rows(), any.trustingRoot(TestKey.STRANGER.keyId())))
                .isEqualTo("broken at 3: The new key of an emergency is not attested by the root key that was given.");
    }

    @Test
    void the_last_rows_signed_by_a_compromised_key_do_not_count() {
        assertThat(verified(TestChain.ofDecisions(2), lostSince(AFTER_ALL), TWO))
                .isEqualTo("broken at 1: The row was signed by a compromised key and nothing vouches for it.");
    }

    @Test
    void a_saved_point_keeps_the_rows_before_it() {
        TestChain chain = TestChain.ofDecisions(3).rescueTo(TestKey.TWO, TestKey.ONE, 3);
        PolicyEvent second = chain.rows().get(1);
        ChainPoint saved = ChainPoint.saved(TestChain.USER, 2, second.hash(), ONE.kid(), second.createdAt());
        ChainVerifier verifier = verifier(keys(lostSince(BEFORE_ALL), TWO_ATTESTED, ROOT));

        assertThat(shown(verifier.rows(saved, chain.rows().subList(2, 4)).then(verifier::end)))
                .isEqualTo("intact up to 4");
        assertThat(shown(verifier.rows(saved, chain.rows().subList(2, 3)).then(verifier::end)))
                .isEqualTo("broken at 3: The row was signed by a compromised key and nothing vouches for it.");
    }

    @Test
    void a_key_that_leaked_after_its_rotation_harms_no_row() {
        TestChain chain =
                TestChain.ofDecisions(2).rotateTo(TestKey.TWO, TestKey.ONE).decision(TestKey.TWO);

        assertThat(verified(chain, lostSince(AFTER_ALL), TWO)).isEqualTo("intact up to 4");
        assertThat(verified(chain, lostSince(BEFORE_ALL), TWO))
                .isEqualTo("broken at 1: The row was signed by a compromised key and nothing vouches for it.");
    }

    @Test
    void pages_give_the_same_verdict_as_the_whole() {
        TestChain chain =
                TestChain.ofDecisions(3).rescueTo(TestKey.TWO, TestKey.ONE, 3).decision(TestKey.TWO);
        ChainVerifier verifier = verifier(keys(lostSince(BEFORE_ALL), TWO_ATTESTED, ROOT));

        ChainVerdict verdict = verifier.rows(ChainPoint.fresh(TestChain.USER), List.of());
        for (PolicyEvent row : chain.rows()) {
            verdict = verdict.then(point -> verifier.rows(point, List.of(row)));
        }

        assertThat(shown(verdict.then(verifier::end))).isEqualTo("intact up to 5");
    }

    private static SigningKey lostSince(Instant since) {
        return EmergencyVectors.lost(TestKey.ONE, since);
    }

    private static SigningKeys keys(SigningKey... keys) {
        return SigningKeys.of(List.of(keys), Purpose.EVENT).trustingRoot(ROOT.kid());
    }

    private static ChainVerifier verifier(SigningKeys keys) {
        return new ChainVerifier(keys, TestChain.CHECK);
    }

    private static String verified(TestChain chain, SigningKey... keys) {
        return verified(chain.rows(), keys(keys));
    }

    private static String verified(List<PolicyEvent> rows, SigningKey... keys) {
        return verified(rows, keys(keys));
    }

    private static String verified(List<PolicyEvent> rows, SigningKeys keys) {
        ChainVerifier verifier = verifier(keys);
        return shown(verifier.rows(ChainPoint.pinned(TestChain.USER, ONE.kid()), rows)
                .then(verifier::end));
    }

    private static String shown(ChainVerdict verdict) {
        return verdict.fold(
                intact -> "intact up to " + intact.upTo().seq(),
                broken -> "broken at " + broken.seq() + ": " + broken.reason());
    }
}
