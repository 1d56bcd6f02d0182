package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import org.junit.jupiter.api.Test;

/** What every signer does. */
public interface EventSignerContract {

    EventSigner signer();

    /** The public key of the signer, base64url. */
    String publicKey();

    @Test
    default void its_id_is_the_thumbprint_of_its_public_key() {
        assertThat(signer().keyId())
                .isEqualTo(SigningKey.thumbprint(publicKey()))
                .hasSize(43);
    }

    @Test
    default void its_signature_is_verified_by_java_itself_and_only_for_what_was_signed() {
        String signature = signer().sign("a line of its purpose\ná\uD83D\uDE00");
        SignatureCheck check = SignatureCheck.ofJdk();

        assertThat(signature).hasSize(86);
        assertThat(check.isSignedBy(publicKey(), "a line of its purpose\ná\uD83D\uDE00", signature))
                .isTrue();
        assertThat(check.isSignedBy(publicKey(), "a line of its purpose\n?", signature))
                .isFalse();
    }

    @Test
    default void it_signs_the_same_message_the_same_way() {
        assertThat(signer().sign("again")).isEqualTo(signer().sign("again"));
    }
}
