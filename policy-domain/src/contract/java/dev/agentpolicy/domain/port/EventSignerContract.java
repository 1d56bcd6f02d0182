package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import org.junit.jupiter.api.Test;

/** The contract of {@link EventSigner}. */
public interface EventSignerContract {

    EventSigner signer();

    /** The public key of the signer, base64url. */
    String publicKey();

    @Test
    default void the_key_id_is_the_thumbprint_of_the_public_key() {
        assertThat(signer().keyId())
                .isEqualTo(SigningKey.thumbprint(publicKey()))
                .hasSize(43);
    }

    @Test
    default void the_java_runtime_verifies_a_signature_for_the_signed_message_only() {
        String signature = signer().sign("a line of its purpose\ná\uD83D\uDE00");
        SignatureCheck check = SignatureCheck.ofJdk();

        assertThat(signature).hasSize(86);
        assertThat(check.isSignedBy(publicKey(), "a line of its purpose\ná\uD83D\uDE00", signature))
                .isTrue();
        assertThat(check.isSignedBy(publicKey(), "a line of its purpose\n?", signature))
                .isFalse();
    }

    @Test
    default void the_same_message_gets_the_same_signature() {
        assertThat(signer().sign("again")).isEqualTo(signer().sign("again"));
    }
}
