package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.KeyRotation;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A signer with one key, and the rollover of a chain to a new key. */
class EventSignerTest {
    private static final ChainHead HEAD = ChainHead.genesis(new UserId(new UUID(1, 1)));
    private final JdkSigner before = new JdkSigner(Purpose.EVENT);
    private final JdkSigner after = new JdkSigner(Purpose.EVENT);
    private final EventSigner single = new EventSigner() {
        @Override
        public String keyId() {
            return "the one";
        }

        @Override
        public String sign(String message) {
            return message;
        }
    };

    @Test
    void a_signer_with_one_key_is_always_current_and_has_no_rollover() {
        assertThat(single.current()).isSameAs(single);
        assertThat(single.from("the one")).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> single.from("another"))
                .withMessage("The chain was signed by another, a key unknown to this signer.");
    }

    @Test
    void a_scheduled_rotation_is_signed_by_the_old_key_and_countersigned_by_the_new() {
        EventSigner.Rollover handover = new EventSigner.Rollover(before.keyId(), after.key(), after, before);

        assertThat(handover.signer()).isSameAs(before);
        assertThat(handover.rotation(HEAD))
                .isEqualTo(KeyRotation.scheduled(HEAD, before.keyId(), after.key(), after::sign));
    }

    @Test
    void after_a_compromise_the_new_key_signs_alone_and_vouches_for_the_whole_chain() {
        EventSigner.Rollover handover = new EventSigner.Rollover(before.keyId(), after.key(), after, null);

        assertThat(handover.signer()).isSameAs(after);
        assertThat(handover.rotation(HEAD))
                .isEqualTo(KeyRotation.emergency(HEAD, before.keyId(), after.key(), HEAD.seq(), after::sign));
    }
}
