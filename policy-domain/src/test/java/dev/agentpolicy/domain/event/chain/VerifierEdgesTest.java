package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Edge cases of the verifier: impossible row numbers, saved heads, and heads of pages before the last. */
class VerifierEdgesTest {
    private static final TestChain CHAIN = TestChain.ofDecisions(3);
    private static final Instant NOW = TestChain.START.plusSeconds(60);
    private static final SigningKey ONE = TestKey.ONE.active(Purpose.EVENT, TestChain.START);
    private static final SigningKey TWO = TestKey.TWO.active(Purpose.EVENT, TestChain.START);
    private static final SignedHead HEAD = issued(CHAIN.head(), TestKey.ONE);
    private static final ChainPoint REACHED = ChainPoint.saved(
            TestChain.USER, 3, CHAIN.head().hash(), ONE.kid(), CHAIN.head().createdAt());

    @Test
    void a_broken_verdict_is_not_intact() {
        ChainVerdict broken = new ChainVerdict.Broken(3, "The signature does not verify.");

        assertThat(broken.isIntact()).isFalse();
        assertThat(broken.then(point -> new ChainVerdict.Intact(point))).isSameAs(broken);
        assertThat(new ChainVerdict.Intact(REACHED).isIntact()).isTrue();
    }

    @Test
    void a_row_without_a_number_breaks_the_chain_where_it_should_have_been() {
        assertThat(verifier(ONE).rows(REACHED, List.of(numbered(0))))
                .isEqualTo(new ChainVerdict.Broken(4, "The row should be number 4."));
        assertThat(verifier(ONE).rows(REACHED, List.of(numbered(-7))))
                .isEqualTo(new ChainVerdict.Broken(4, "The row should be number 4."));
        assertThat(verifier(ONE).rows(REACHED, List.of(numbered(1))))
                .isEqualTo(new ChainVerdict.Broken(1, "The row should be number 4."));
    }

    @Test
    void a_saved_point_that_contradicts_a_receipt_is_found_without_any_row() {
        ChainVerifier other = receipts(3, "0".repeat(64));

        assertThat(other.end(REACHED))
                .isEqualTo(new ChainVerdict.Broken(3, "The row is not the one whose hash was given out earlier."));
        assertThat(receipts(3, CHAIN.head().hash()).end(REACHED).isIntact()).isTrue();
        assertThat(receipts(2, "0".repeat(64)).end(REACHED).isIntact()).isTrue();
        assertThat(receipts(4, "0".repeat(64)).end(REACHED))
                .isEqualTo(new ChainVerdict.Broken(4, "The chain ends here, but a later row was given out earlier."));
    }

    @Test
    void an_erased_payload_keeps_the_hash_it_had() {
        PolicyEvent row = CHAIN.rows().get(0);
        PolicyEvent unhashed = TamperedChain.with(row, null, "gone", "");
        PolicyEvent erased = TamperedChain.with(row, null, "gone", Sha256.hex(Messages.header(unhashed)));

        assertThat(verifier(ONE).rows(ChainPoint.fresh(TestChain.USER), List.of(erased)))
                .isEqualTo(new ChainVerdict.Broken(1, "The hash of the erased payload is malformed."));
    }

    @Test
    void a_head_signed_by_a_key_of_the_chain_is_issued() {
        assertThat(verifier(ONE).isIssued(HEAD)).isTrue();
        assertThat(verifier(TWO).isIssued(HEAD)).isFalse();
        assertThat(verifier(ONE).isIssued(edited(HEAD))).isFalse();
    }

    @Test
    void a_head_of_a_compromised_key_is_issued_only_if_it_is_older() {
        assertThat(verifier(lost(NOW)).isIssued(HEAD)).isTrue();
        assertThat(verifier(lost(NOW.plusSeconds(1))).isIssued(HEAD)).isTrue();
        assertThat(verifier(lost(NOW.minusNanos(1_000))).isIssued(HEAD)).isFalse();
        assertThat(verifier(lost(null)).isIssued(HEAD)).isFalse();
    }

    @Test
    void a_head_before_the_last_page_may_be_signed_by_any_key_of_the_chain() {
        assertThat(verifier(ONE, TWO).headOnTheWay(REACHED, HEAD).isIntact()).isTrue();
        assertThat(verifier(ONE, TWO)
                        .headOnTheWay(REACHED, issued(CHAIN.head(), TestKey.TWO))
                        .isIntact())
                .isTrue();
        assertThat(verifier(TWO).headOnTheWay(REACHED, HEAD))
                .isEqualTo(new ChainVerdict.Broken(3, "The head is not signed by a key of this manifest."));
    }

    @Test
    void a_head_before_the_last_page_is_of_the_same_chain_and_not_behind_the_rows() {
        UserId other = new UserId(new UUID(0, 9));
        ChainHead elsewhere = new ChainHead(other, 3, CHAIN.head().hash(), TestChain.START);

        assertThat(verifier(ONE).headOnTheWay(REACHED, issued(elsewhere, TestKey.ONE)))
                .isEqualTo(new ChainVerdict.Broken(3, "The head is that of another user."));
        assertThat(verifier(ONE)
                        .headOnTheWay(REACHED, issued(TestChain.ofDecisions(2).head(), TestKey.ONE)))
                .isEqualTo(new ChainVerdict.Broken(2, "The head is behind the rows."));
    }

    @Test
    void a_signature_or_key_of_the_wrong_length_is_not_valid() {
        String signature = TestKey.ONE.sign("message");

        assertThat(TestChain.CHECK.isSignedBy(ONE.x(), "message", signature)).isTrue();
        assertThat(TestChain.CHECK.isSignedBy(ONE.x(), "other", signature)).isFalse();
        assertThat(TestChain.CHECK.isSignedBy(ONE.x().substring(1), "message", signature))
                .isFalse();
        assertThat(TestChain.CHECK.isSignedBy(ONE.x(), "message", signature + "A"))
                .isFalse();
        assertThat(TestChain.CHECK.isSignedBy(ONE.x(), "message", "")).isFalse();
    }

    @Test
    void bytes_that_are_not_a_point_or_signature_are_not_valid() {
        String noSignature = Base64Url.encode(HexFormat.of().parseHex("ff".repeat(Base64Url.SIGNATURE_BYTES)));
        String noPoint = Base64Url.encode(HexFormat.of().parseHex("02" + "00".repeat(Base64Url.KEY_BYTES - 1)));

        assertThat(TestChain.CHECK.isSignedBy(ONE.x(), "message", noSignature)).isFalse();
        assertThat(TestChain.CHECK.isSignedBy(noPoint, "message", TestKey.ONE.sign("message")))
                .isFalse();
    }

    private static PolicyEvent numbered(long seq) {
        PolicyEvent row = CHAIN.rows().get(0);
        return new PolicyEvent(
                row.userId(),
                seq,
                row.eventId(),
                row.kind(),
                row.createdAt(),
                row.payload(),
                row.payloadHash(),
                row.prevHash(),
                row.signingKeyId(),
                row.hash(),
                row.signature());
    }

    private static SignedHead issued(ChainHead head, TestKey key) {
        return SignedHead.issue(head, NOW, key.keyId(), key::sign);
    }

    private static SignedHead edited(SignedHead head) {
        return new SignedHead(head.userId(), 4, head.hash(), head.issuedAt(), head.signingKeyId(), head.signature());
    }

    private static SigningKey lost(Instant since) {
        return EmergencyVectors.lost(TestKey.ONE, since);
    }

    private static ChainVerifier receipts(long seq, String hash) {
        return new ChainVerifier(SigningKeys.of(List.of(ONE), Purpose.EVENT), TestChain.CHECK, Map.of(seq, hash));
    }

    private static ChainVerifier verifier(SigningKey... keys) {
        return new ChainVerifier(SigningKeys.of(List.of(keys), Purpose.EVENT), TestChain.CHECK);
    }
}
