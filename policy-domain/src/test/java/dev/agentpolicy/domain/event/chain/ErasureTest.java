package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Signed erasures (docs/reference/events.md, Erasure). */
class ErasureTest {
    private static final Instant NOW = TestChain.START.plusSeconds(60);
    private static final TestChain CHAIN = TestChain.ofDecisions(3);
    private static final PolicyEvent SECOND = CHAIN.rows().get(1);
    private static final SigningKey ONE = TestKey.ONE.active(Purpose.EVENT, TestChain.START);

    @Test
    void an_erasure_survives_being_written_and_read() {
        for (Erasure entry : new Erasure[] {ofSecond(), ofAll()}) {
            StringBuilder json = new StringBuilder();
            entry.appendJson(json);

            assertThat(Erasure.read(TestJson.object(json.toString())).orElseThrow())
                    .isEqualTo(entry);
        }
    }

    @Test
    void the_signed_message_is_the_canonical_text_of_the_documented_members() {
        assertThat(ofSecond().message())
                .isEqualTo("agent-policy/erasure/v1\n{\"erasedAt\":\"2026-11-21T09:41:00.000000Z\",\"hash\":\""
                        + SECOND.hash() + "\",\"reason\":\"A \\\"mistake\\\"\",\"seq\":2,\"userId\":\""
                        + TestChain.USER + "\"}");
        assertThat(ofAll().message()).contains("\"throughSeq\":3").doesNotContain("\"seq\"");
    }

    @Test
    void only_its_key_signs_it_and_only_before_the_key_was_compromised() {
        assertThat(ofSecond().isSignedBy(ONE, TestChain.CHECK)).isTrue();
        assertThat(ofSecond().isSignedBy(TestKey.TWO.active(Purpose.EVENT, TestChain.START), TestChain.CHECK))
                .isFalse();
        assertThat(ofSecond().isSignedBy(ONE.compromised(NOW, NOW), TestChain.CHECK))
                .isTrue();
        assertThat(ofSecond().isSignedBy(ONE.compromised(NOW, NOW.minusSeconds(1)), TestChain.CHECK))
                .isFalse();
    }

    @Test
    void an_edited_entry_is_no_longer_signed() {
        Erasure entry = ofSecond();
        Erasure edited = new Erasure(
                entry.userId(),
                entry.scope(),
                entry.seq(),
                entry.hash(),
                entry.erasedAt(),
                "Another reason",
                entry.signingKeyId(),
                entry.signature());

        assertThat(edited.isSignedBy(ONE, TestChain.CHECK)).isFalse();
    }

    @Test
    void an_erasure_of_one_row_covers_only_that_row() {
        assertThat(CHAIN.rows()).filteredOn(ofSecond()::covers).containsExactly(SECOND);
    }

    @Test
    void an_erasure_of_an_account_covers_all_rows_up_to_its_own() {
        TestChain longer = TestChain.ofDecisions(4);

        assertThat(longer.rows()).filteredOn(ofAll()::covers).containsExactlyElementsOf(CHAIN.rows());
    }

    @Test
    void policies_and_keys_are_erased_with_the_whole_account_only_and_rotations_never() {
        assertThat(EventKind.values())
                .filteredOn(Erasure.Extent.ROW::mayErase)
                .containsExactly(
                        EventKind.GUARDRAIL_DECISION,
                        EventKind.DRIFT_DETECTED,
                        EventKind.DRIFT_CLEARED,
                        EventKind.TRADE_OBSERVED);
        assertThat(EventKind.values())
                .filteredOn(kind -> !Erasure.Extent.ACCOUNT.mayErase(kind))
                .containsExactly(EventKind.SIGNING_KEY_ROTATED);
    }

    @Test
    void an_erasure_needs_a_reason_without_control_characters() {
        assertThatThrownBy(() -> of(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reason");
        assertThatThrownBy(() -> of("a\nb")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> of("x".repeat(501))).isInstanceOf(IllegalArgumentException.class);
    }

    private static Erasure ofSecond() {
        return of("A \"mistake\"");
    }

    private static Erasure of(String reason) {
        return Erasure.ofRow(TestChain.USER, SECOND.seq(), SECOND.hash(), NOW, reason, ONE.kid(), TestKey.ONE::sign);
    }

    private static Erasure ofAll() {
        PolicyEvent last = CHAIN.rows().get(2);
        return Erasure.ofAccount(
                TestChain.USER, last.seq(), last.hash(), NOW, "Account deleted", ONE.kid(), TestKey.ONE::sign);
    }
}
