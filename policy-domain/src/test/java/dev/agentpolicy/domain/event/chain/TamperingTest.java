package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every attack on stored or delivered rows of the threat table (docs/reference/events.md), one test each. */
class TamperingTest extends TamperedChain {
    @Test
    void an_untouched_chain_is_intact() {
        assertThat(verified(rows -> {}))
                .isEqualTo("intact up to 5 " + CHAIN.head().hash());
    }

    @Test
    void a_payload_set_to_null_by_hand_is_refused() {
        assertThat(verified(rows -> rows.get(2).put("payload", null)))
                .isEqualTo("broken at 3: The payload is missing, and no signed erasure explains it.");
    }

    @Test
    void an_edited_payload_breaks_its_hash() {
        assertThat(verified(edit(3, "payload", payload(3, "amountUsd", "999"))))
                .isEqualTo("broken at 3: The payload does not have its hash.");
    }

    @Test
    void an_edited_header_breaks_the_hash_of_the_row() {
        String wrong = ": The row does not have its hash.";
        assertThat(verified(edit(3, "eventType", "ips.amended"))).isEqualTo("broken at 3" + wrong);
        assertThat(verified(edit(3, "eventId", OTHER.toString()))).isEqualTo("broken at 3" + wrong);
        assertThat(verified(edit(3, "createdAt", "2026-11-21T09:40:02.000001Z")))
                .isEqualTo("broken at 3" + wrong);
        assertThat(verified(edit(3, "signingKeyId", TestKey.TWO.keyId()))).isEqualTo("broken at 3" + wrong);
    }

    @Test
    void an_edited_hash_of_an_erased_payload_breaks_the_hash_of_the_row() {
        assertThat(verified(rows -> {
                    rows.get(2).put("payload", null);
                    rows.get(2).put("payloadHash", "0".repeat(64));
                }))
                .isEqualTo("broken at 3: The row does not have its hash.");
    }

    @Test
    void an_edit_with_all_hashes_recomputed_breaks_the_signature() {
        List<PolicyEvent> forged = rehashed(CHAIN.rows(), 3, payload -> payload.replace("100.3", "999.3"));

        assertThat(verdict(forged)).isEqualTo("broken at 3: The signature does not verify.");
    }

    @Test
    void a_deleted_row_leaves_a_gap() {
        assertThat(verified(rows -> rows.remove(2))).isEqualTo("broken at 4: The row should be number 3.");
    }

    @Test
    void a_deleted_row_whose_gap_is_closed_breaks_the_links() {
        assertThat(verified(rows -> {
                    rows.remove(2);
                    rows.get(2).put("seq", 3);
                }))
                .isEqualTo("broken at 3: The row does not follow the row before it.");
    }

    @Test
    void an_inserted_row_breaks_the_chain() {
        assertThat(verified(rows -> rows.add(2, rows.get(4)))).isEqualTo("broken at 5: The row should be number 3.");
    }

    @Test
    void swapped_rows_break_the_chain() {
        assertThat(verified(rows -> rows.add(1, rows.remove(2)))).isEqualTo("broken at 3: The row should be number 2.");
    }

    @Test
    void a_duplicated_row_breaks_the_chain() {
        assertThat(verified(rows -> rows.add(2, rows.get(1)))).isEqualTo("broken at 2: The row should be number 3.");
    }

    @Test
    void a_chain_without_its_beginning_is_refused() {
        assertThat(verified(rows -> rows.remove(0))).isEqualTo("broken at 2: The row should be number 1.");
    }

    @Test
    void a_saved_head_shows_that_a_chain_was_truncated() {
        assertThat(verified(rows -> rows.subList(3, 5).clear())).startsWith("intact up to 3");
        assertThat(verdict(CHAIN.rows().subList(0, 3), Map.of(5L, CHAIN.head().hash())))
                .isEqualTo("broken at 4: The chain ends here, but a later row was given out earlier.");
    }

    @Test
    void a_receipt_shows_that_a_chain_was_rolled_back_and_continued() {
        TestChain rewritten = TestChain.ofDecisions(3)
                .append(new EventDraft(EventKind.DRIFT_CLEARED, Map.of()), TestKey.ONE)
                .decision(TestKey.ONE);
        Map<Long, String> receipt = Map.of(4L, CHAIN.rows().get(3).hash());

        assertThat(verdict(rewritten.rows())).startsWith("intact up to 5");
        assertThat(verdict(rewritten.rows(), receipt))
                .isEqualTo("broken at 4: The row is not the one whose hash was given out earlier.");
    }

    @Test
    void rows_moved_to_another_user_break_their_hashes() {
        List<Document> moved = documents(rows -> rows.forEach(row -> row.put("userId", OTHER.toString())));

        assertThat(shown(read(ChainPoint.fresh(OTHER), moved, List.of(ONE), SigningKey.Purpose.EVENT)))
                .isEqualTo("broken at 1: The row does not have its hash.");
        assertThat(shown(EventChain.verify(
                        ChainPoint.fresh(OTHER),
                        CHAIN.rows(),
                        List.of(ONE),
                        SigningKey.Purpose.EVENT,
                        TestChain.CHECK)))
                .isEqualTo("broken at 1: The row belongs to another user.");
    }

    @Test
    void a_row_signed_again_by_another_key_is_refused() {
        TestChain forged = TestChain.ofDecisions(2).decision(TestKey.STRANGER);
        SigningKey stranger = TestKey.STRANGER.active(SigningKey.Purpose.EVENT, TestChain.START);

        assertThat(verdict(forged.rows()))
                .isEqualTo("broken at 3: The row is signed by another key than the chain expects.");
        assertThat(shown(EventChain.verify(
                        ChainPoint.fresh(TestChain.USER),
                        forged.rows(),
                        List.of(ONE, stranger),
                        SigningKey.Purpose.EVENT,
                        TestChain.CHECK)))
                .isEqualTo("broken at 3: The row is signed by another key than the chain expects.");
    }

    @Test
    void a_whole_chain_signed_by_an_inserted_key_breaks_on_the_pinned_key() {
        TestChain forged = new TestChain(TestChain.USER).decision(TestKey.STRANGER);
        SigningKey stranger = TestKey.STRANGER.active(SigningKey.Purpose.EVENT, TestChain.START);

        assertThat(shown(EventChain.verify(
                        ChainPoint.pinned(TestChain.USER, ONE.kid()),
                        forged.rows(),
                        List.of(stranger),
                        SigningKey.Purpose.EVENT,
                        TestChain.CHECK)))
                .isEqualTo("broken at 1: The row is signed by another key than the chain expects.");
    }

    @Test
    void a_row_of_an_unlisted_key_is_refused() {
        assertThat(verdict(
                        new TestChain(TestChain.USER).decision(TestKey.STRANGER).rows()))
                .isEqualTo("broken at 1: The key that signed is not in the manifest for this kind of chain.");
    }

    @Test
    void a_sandbox_key_never_signs_a_real_chain_nor_a_real_key_the_sandbox() {
        SigningKey sandbox = TestKey.ONE.active(SigningKey.Purpose.SANDBOX, TestChain.START);
        String refused = "broken at 1: The key that signed is not in the manifest for this kind of chain.";

        assertThat(verdict(List.of(sandbox), SigningKey.Purpose.EVENT)).isEqualTo(refused);
        assertThat(verdict(List.of(ONE), SigningKey.Purpose.SANDBOX)).isEqualTo(refused);
        assertThat(verdict(List.of(sandbox), SigningKey.Purpose.SANDBOX)).startsWith("intact up to 5");
    }

    @Test
    void an_added_member_is_refused() {
        assertThat(verified(edit(2, "comment", "unsigned"))).isEqualTo("unreadable: comment is not a known field.");
        assertThat(verified(edit(2, "payload", payload(2, "extra", true))))
                .isEqualTo("broken at 2: The payload does not have its hash.");
    }

    @Test
    void a_stripped_member_is_refused() {
        for (String member : CHAIN.wire().get(0).keySet()) {
            assertThat(verified(rows -> rows.get(1).remove(member)))
                    .as(member)
                    .isEqualTo("unreadable: " + member + " is missing.");
        }
    }

    @Test
    void a_lone_surrogate_that_hashes_like_a_question_mark_is_refused() {
        TestChain asked = new TestChain(TestChain.USER)
                .append(new EventDraft(EventKind.IPS_CREATED, Map.of("n", "?")), TestKey.ONE);
        PolicyEvent row = asked.rows().get(0);
        PolicyEvent twin = with(row, row.payload().replace('?', '\uD800'), row.payloadHash(), row.hash());

        assertThat(Sha256.hex(Messages.payload(twin.payload()))).isEqualTo(row.payloadHash());
        assertThat(verdict(List.of(twin))).isEqualTo("broken at 1: The payload is not in canonical form.");
    }

    @Test
    void upper_case_hex_is_refused() {
        for (String member : List.of("hash", "prevHash", "payloadHash")) {
            String upper = ((String) CHAIN.wire().get(1).get(member)).toUpperCase(Locale.ROOT);
            assertThat(verified(edit(2, member, upper)))
                    .isEqualTo("unreadable: " + member + " must be 64 lower-case hex characters.");
        }
    }

    @Test
    void base64_that_is_not_in_its_only_form_is_refused() {
        String signature = CHAIN.rows().get(1).signature();
        char loose = (char) (signature.charAt(85) + 1);
        for (String other : List.of(
                signature.substring(0, 85) + loose,
                signature + "==",
                signature.substring(0, 85),
                signature + "A",
                " " + signature.substring(1),
                "+" + signature.substring(1))) {
            assertThat(verified(edit(2, "signature", other)))
                    .isEqualTo("unreadable: signature must be 64 bytes in base64url without padding.");
        }
        assertThat(TestChain.CHECK.isSignedBy(
                        TestKey.ONE.x(),
                        Messages.eventSignature(CHAIN.rows().get(1).hash()),
                        signature.substring(0, 85) + loose))
                .isFalse();
    }

    @Test
    void a_row_older_than_the_row_before_it_is_refused_even_when_the_key_signed_it() {
        TestChain early = TestChain.ofDecisions(1);
        ChainHead lying = new ChainHead(
                TestChain.USER, 1, early.head().hash(), early.head().createdAt().minusSeconds(60));
        PolicyEvent backdated = EventChain.next(
                lying,
                new EventDraft(EventKind.DRIFT_CLEARED, Map.of()),
                OTHER.value(),
                TestChain.SALT,
                TestChain.START.minusSeconds(60),
                TestKey.ONE.keyId(),
                TestKey.ONE::sign);

        assertThat(verdict(List.of(early.rows().get(0), backdated)))
                .isEqualTo("broken at 2: The row is older than the row before it.");
    }

    @Test
    void a_row_of_another_version_is_refused() {
        assertThat(verified(edit(2, "v", 2))).isEqualTo("unreadable: v must be an integer from 1 to 1.");
    }
}
