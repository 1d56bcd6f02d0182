package dev.agentpolicy.domain.usecase.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.StoreSamples;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SignedHeadCacheTest {
    private static final Instant NOW = StoreSamples.START;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final JdkSigner signer = new JdkSigner();
    private final ReadEvents.SignedHeadCache heads = new ReadEvents.SignedHeadCache();
    private final UserId user = StoreSamples.user();
    private final ChainHead head = new ChainHead(user, 3, "a".repeat(64), NOW);
    private final SignedHead first = heads.of(head, NOW, signer);

    @Test
    void a_head_is_reused_for_less_than_a_second() {
        assertThat(heads.of(head, NOW, signer)).isSameAs(first);
        assertThat(heads.of(head, NOW.plus(SECOND).minusNanos(1000), signer)).isSameAs(first);

        SignedHead later = heads.of(head, NOW.plus(SECOND), signer);

        assertThat(later.issuedAt()).isEqualTo(NOW.plus(SECOND));
        assertThat(heads.of(head, NOW.plus(SECOND).plusMillis(999), signer)).isSameAs(later);
    }

    @Test
    void a_head_from_the_future_is_not_reused() {
        assertThat(heads.of(head, NOW.minusNanos(1000), signer).issuedAt()).isEqualTo(NOW.minusNanos(1000));
    }

    @Test
    void a_new_end_of_the_chain_gets_a_new_head() {
        ChainHead longer = new ChainHead(user, 4, head.hash(), NOW);
        ChainHead other = new ChainHead(user, 4, "b".repeat(64), NOW);

        assertThat(heads.of(longer, NOW, signer).seq()).isEqualTo(4);
        assertThat(heads.of(other, NOW, signer).hash()).isEqualTo("b".repeat(64));
    }

    @Test
    void another_signing_key_makes_a_new_head() {
        JdkSigner next = new JdkSigner();

        SignedHead signed = heads.of(head, NOW, next);

        assertThat(signed.signingKeyId()).isEqualTo(next.keyId());
        assertThat(signed.signature()).isNotEqualTo(first.signature());
    }

    @Test
    void each_user_has_its_own_head_and_the_oldest_is_forgotten() {
        ChainHead another = new ChainHead(StoreSamples.user(), 3, head.hash(), NOW);
        SignedHead its = heads.of(another, NOW, signer);
        assertThat(its.userId()).isEqualTo(another.userId());
        assertThat(heads.of(head, NOW, signer)).isSameAs(first);

        IntStream.range(0, 999)
                .forEach(i -> heads.of(new ChainHead(StoreSamples.user(), 1, head.hash(), NOW), NOW, signer));

        assertThat(heads.of(another, NOW, signer)).isSameAs(its);
        assertThat(heads.of(head, NOW, signer)).isNotSameAs(first).isEqualTo(first);
    }
}
