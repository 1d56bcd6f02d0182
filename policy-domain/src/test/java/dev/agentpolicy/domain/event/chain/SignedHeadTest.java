package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The checks of a signed head (docs/reference/events.md, The page and its head). */
class SignedHeadTest {
    private static final Instant NOW = TestChain.START.plusSeconds(60);
    private static final SigningKey ONE = TestKey.ONE.active(Purpose.EVENT, TestChain.START);
    private static final SigningKey TWO = TestKey.TWO.active(Purpose.EVENT, TestChain.START);
    private static final TestChain CHAIN = TestChain.ofDecisions(3);
    private static final SignedHead HEAD = issued(CHAIN.head(), TestKey.ONE);
    private static final ChainPoint REACHED = ChainPoint.saved(
            TestChain.USER, 3, CHAIN.head().hash(), ONE.kid(), CHAIN.head().createdAt());

    @Test
    void a_head_that_agrees_with_the_rows_is_accepted() {
        assertThat(checked(REACHED, HEAD, NOW, ONE)).isEqualTo("intact");
    }

    @Test
    void a_head_ahead_of_the_rows_is_accepted_because_rows_may_follow() {
        assertThat(checked(REACHED, issued(TestChain.ofDecisions(5).head(), TestKey.ONE), NOW, ONE))
                .isEqualTo("intact");
    }

    @Test
    void a_head_behind_the_rows_shows_a_rollback() {
        assertThat(checked(REACHED, issued(TestChain.ofDecisions(2).head(), TestKey.ONE), NOW, ONE))
                .isEqualTo("The head is behind the rows.");
    }

    @Test
    void a_head_with_the_same_number_and_another_hash_shows_two_histories() {
        ChainHead other = new ChainHead(TestChain.USER, 3, "0".repeat(64), TestChain.START);

        assertThat(checked(REACHED, issued(other, TestKey.ONE), NOW, ONE))
                .isEqualTo("The head has another hash than the last row.");
    }

    @Test
    void a_head_of_another_user_is_refused() {
        UserId other = new UserId(UUID.fromString("00000000-0000-4000-8000-000000000000"));
        ChainHead head = new ChainHead(other, 3, CHAIN.head().hash(), TestChain.START);

        assertThat(checked(REACHED, issued(head, TestKey.ONE), NOW, ONE))
                .isEqualTo("The head is that of another user.");
    }

    @Test
    void an_old_head_is_refused() {
        assertThat(checked(REACHED, HEAD, NOW.plusSeconds(1), ONE)).isEqualTo("The head is too old.");
    }

    @Test
    void an_edited_head_is_refused() {
        SignedHead edited =
                new SignedHead(HEAD.userId(), 4, HEAD.hash(), HEAD.issuedAt(), HEAD.signingKeyId(), HEAD.signature());

        assertThat(checked(REACHED, edited, NOW, ONE))
                .isEqualTo("The head is not signed by the key of the chain or by one it vouches for.");
    }

    @Test
    void a_head_of_another_key_counts_only_when_the_key_of_the_chain_vouches_for_it() {
        SignedHead byTwo = issued(CHAIN.head(), TestKey.TWO);
        SigningKey vouchedFor = TWO.attestedBy(ONE.kid(), TestKey.ONE::sign);

        assertThat(checked(REACHED, byTwo, NOW, ONE, TWO))
                .isEqualTo("The head is not signed by the key of the chain or by one it vouches for.");
        assertThat(checked(REACHED, byTwo, NOW, ONE, vouchedFor)).isEqualTo("intact");
    }

    @Test
    void a_head_of_a_compromised_key_is_refused() {
        assertThat(checked(REACHED, HEAD, NOW, EmergencyVectors.lost(TestKey.ONE, NOW)))
                .isEqualTo("The head is not signed by the key of the chain or by one it vouches for.");
    }

    @Test
    void an_empty_chain_has_a_head_too() {
        SignedHead empty = issued(ChainHead.genesis(TestChain.USER), TestKey.ONE);
        StringBuilder json = new StringBuilder();
        empty.appendJson(json);

        assertThat(checked(ChainPoint.fresh(TestChain.USER), empty, NOW, ONE)).isEqualTo("intact");
        assertThat(SignedHead.read(TestJson.object(json.toString())).orElseThrow())
                .isEqualTo(empty);
    }

    private static SignedHead issued(ChainHead head, TestKey key) {
        return SignedHead.issue(head, NOW, key.keyId(), key::sign);
    }

    private static String checked(ChainPoint reached, SignedHead head, Instant issuedSince, SigningKey... keys) {
        ChainVerifier verifier = new ChainVerifier(SigningKeys.of(List.of(keys), Purpose.EVENT), TestChain.CHECK);
        return verifier.head(reached, head, issuedSince).fold(intact -> "intact", ChainVerdict.Broken::reason);
    }
}
