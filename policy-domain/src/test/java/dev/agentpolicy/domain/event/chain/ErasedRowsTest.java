package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A row without a payload needs a signed erasure (docs/reference/events.md, Erasure). */
class ErasedRowsTest {
    private static final Instant NOW = TestChain.START.plusSeconds(60);
    private static final SigningKey ONE = TestKey.ONE.active(Purpose.EVENT, TestChain.START);
    private static final SigningKey TWO = TestKey.TWO.active(Purpose.EVENT, TestChain.START);
    private static final SigningKey ROOT = TestKey.ROOT.active(Purpose.ROOT, TestChain.START);
    private static final String MISSING = "broken at 3: The payload is missing, and no signed erasure explains it.";

    @Test
    void a_row_with_a_signed_erasure_is_counted() {
        TestChain chain = TestChain.ofDecisions(5);

        assertThat(verified(chain, List.of(of(chain, 3, TestKey.ONE)), 3)).isEqualTo("intact, 1 erased");
    }

    @Test
    void a_row_without_a_signed_erasure_is_broken() {
        TestChain chain = TestChain.ofDecisions(5);

        assertThat(verified(chain, List.of(), 3)).isEqualTo(MISSING);
        assertThat(verified(chain, List.of(of(chain, 4, TestKey.ONE)), 3)).isEqualTo(MISSING);
    }

    @Test
    void an_erasure_may_be_signed_by_an_earlier_or_later_key() {
        TestChain chain = TestChain.ofDecisions(2)
                .rotateTo(TestKey.TWO, TestKey.ONE)
                .decision(TestKey.TWO)
                .decision(TestKey.TWO);

        assertThat(verified(chain, List.of(of(chain, 2, TestKey.TWO)), 2)).isEqualTo("intact, 1 erased");
        assertThat(verified(chain, List.of(of(chain, 4, TestKey.ONE)), 4)).isEqualTo("intact, 1 erased");
    }

    @Test
    void an_erasure_of_a_key_that_the_chain_does_not_reach_is_refused() {
        TestChain chain = TestChain.ofDecisions(5);

        assertThat(verified(chain, List.of(of(chain, 3, TestKey.TWO)), 3))
                .isEqualTo("broken at 3: The erasure of the row is signed by a key that the chain does not reach.");
    }

    @Test
    void an_erasure_of_a_compromised_key_must_be_older_than_the_compromise() {
        TestChain chain =
                TestChain.ofDecisions(3).rescueTo(TestKey.TWO, TestKey.ONE, 3).decision(TestKey.TWO);
        SigningKey rescue = TWO.attestedBy(ROOT.kid(), TestKey.ROOT::sign);
        List<Erasure> entries = List.of(of(chain, 3, TestKey.ONE));

        assertThat(verified(chain, entries, verifier(EmergencyVectors.lost(TestKey.ONE, NOW), rescue, ROOT), 3))
                .isEqualTo("intact, 1 erased");
        assertThat(verified(
                        chain,
                        entries,
                        verifier(EmergencyVectors.lost(TestKey.ONE, NOW.minusSeconds(1)), rescue, ROOT),
                        3))
                .isEqualTo(MISSING);
    }

    @Test
    void one_entry_of_an_account_explains_every_row_but_a_rotation() {
        TestChain chain = new TestChain(TestChain.USER)
                .append(new EventDraft(EventKind.IPS_CREATED, Map.of()), TestKey.ONE)
                .append(new EventDraft(EventKind.KEY_MINTED, Map.of()), TestKey.ONE)
                .rotateTo(TestKey.TWO, TestKey.ONE)
                .decision(TestKey.TWO);
        List<Erasure> entries = List.of(ofAccount(4, chain.rows().get(3).hash()));

        assertThat(verified(chain, entries, 1, 2, 4)).isEqualTo("intact, 3 erased");
        assertThat(verified(chain, entries, 1, 2, 3, 4))
                .isEqualTo("broken at 3: The payload of a key rotation must not be erased.");
    }

    @Test
    void rows_after_the_erasure_of_an_account_are_not_covered() {
        TestChain chain = TestChain.ofDecisions(5);
        List<Erasure> entries = List.of(ofAccount(2, chain.rows().get(1).hash()));

        assertThat(verified(chain, entries, 1, 2)).isEqualTo("intact, 2 erased");
        assertThat(verified(chain, entries, 1, 2, 3)).isEqualTo(MISSING);
    }

    @Test
    void the_chain_must_reach_the_row_that_an_erasure_names() {
        TestChain chain = TestChain.ofDecisions(3);
        String hash = chain.rows().get(2).hash();

        assertThat(verified(chain, List.of(ofAccount(3, "0".repeat(64))), 1))
                .isEqualTo("broken at 3: The row is not the one that an erasure names.");
        assertThat(verified(chain, List.of(ofAccount(9, hash)), 1))
                .isEqualTo("broken at 4: The chain ends here, but an erasure names a later row.");
    }

    @Test
    void two_erasures_that_name_two_rows_for_one_place_contradict_each_other() {
        TestChain chain = TestChain.ofDecisions(3);
        PolicyEvent first = EmergencyVectors.erased(chain.rows().get(0));
        PolicyEvent second = EmergencyVectors.erased(chain.rows().get(1));
        ChainVerifier verifier = verifier(ONE);

        assertThat(shown(verifier.rows(
                                ChainPoint.fresh(TestChain.USER),
                                List.of(first),
                                List.of(ofAccount(3, chain.rows().get(2).hash())))
                        .then(point -> verifier.rows(point, List.of(second), List.of(ofAccount(3, "0".repeat(64)))))))
                .isEqualTo("broken at 2: Two erasures name two rows for one place.");
    }

    @Test
    void an_erasure_that_explains_nothing_is_ignored() {
        TestChain chain = TestChain.ofDecisions(5);
        Erasure right = of(chain, 3, TestKey.ONE);
        Erasure unsigned = new Erasure(
                right.userId(),
                right.scope(),
                right.seq(),
                right.hash(),
                right.erasedAt(),
                "Another",
                right.signingKeyId(),
                right.signature());

        assertThat(verified(chain, List.of(unsigned, right, of(chain, 1, TestKey.ONE)), 3))
                .isEqualTo("intact, 1 erased");
    }

    private static Erasure of(TestChain chain, int seq, TestKey key) {
        String hash = chain.rows().get(seq - 1).hash();
        return Erasure.ofRow(TestChain.USER, seq, hash, NOW, "Asked for", key.keyId(), key::sign);
    }

    private static Erasure ofAccount(long throughSeq, String hash) {
        return Erasure.ofAccount(
                TestChain.USER, throughSeq, hash, NOW, "Account deleted", ONE.kid(), TestKey.ONE::sign);
    }

    private static String verified(TestChain chain, List<Erasure> entries, int... erased) {
        return verified(chain, entries, verifier(ONE, TWO), erased);
    }

    private static String verified(TestChain chain, List<Erasure> entries, ChainVerifier verifier, int... erased) {
        List<PolicyEvent> rows = new ArrayList<>(chain.rows());
        for (int seq : erased) {
            rows.set(seq - 1, EmergencyVectors.erased(rows.get(seq - 1)));
        }
        return shown(
                verifier.rows(ChainPoint.fresh(TestChain.USER), rows, entries).then(verifier::end));
    }

    private static ChainVerifier verifier(SigningKey... keys) {
        return new ChainVerifier(
                SigningKeys.of(List.of(keys), Purpose.EVENT).trustingRoot(ROOT.kid()), TestChain.CHECK);
    }

    private static String shown(ChainVerdict verdict) {
        return verdict.fold(
                intact -> "intact, " + intact.upTo().erased().count() + " erased",
                broken -> "broken at " + broken.seq() + ": " + broken.reason());
    }
}
