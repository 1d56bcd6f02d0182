package dev.agentpolicy.adapter.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.signature.Ed25519PrivateKey;
import com.google.crypto.tink.signature.Ed25519PublicKey;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import com.google.crypto.tink.signature.SignatureConfig;
import com.google.crypto.tink.util.Bytes;
import com.google.crypto.tink.util.SecretBytes;
import dev.agentpolicy.adapter.signing.KeySafe.TinkEventSigner;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.EventSignerContract;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TinkEventSignerTest {
    private static final String SECRET_ONE = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";

    @AfterEach
    void forget_the_provider() {
        Security.removeProvider("Conscrypt");
    }

    @Nested
    class Without_conscrypt extends Signing {
        @BeforeEach
        void remove() {
            Security.removeProvider("Conscrypt");
        }

        @Test
        void the_implementation_says_so() {
            assertThat(KeyRing.implementation()).startsWith("Tink (pure Java;");
        }
    }

    @Nested
    class With_conscrypt extends Signing {
        @BeforeEach
        void register() {
            KeyRing.registerConscrypt();
        }

        @Test
        void the_implementation_says_so() {
            assertThat(KeyRing.implementation()).startsWith("Tink over Conscrypt ");
        }

        @Test
        void it_is_the_last_provider_and_there_once() {
            KeyRing.registerConscrypt();

            assertThat(Security.getProviders())
                    .extracting(provider -> provider.getName())
                    .containsOnlyOnce("Conscrypt")
                    .endsWith("Conscrypt");
        }
    }

    @Test
    void a_key_whose_signatures_carry_a_prefix_is_refused() throws GeneralSecurityException {
        SignatureConfig.register();
        KeysetHandle prefixed =
                KeysetHandle.generateNew(PredefinedSignatureParameters.ED25519, RegistryConfiguration.get());

        assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(() -> TinkEventSigner.of(prefixed));
    }

    @Test
    void toString_does_not_reveal_the_key() throws GeneralSecurityException {
        assertThat(signerOne().toString()).startsWith(TinkEventSigner.class.getName() + "@");
    }

    /** Properties of both implementations. */
    abstract static class Signing implements EventSignerContract {

        @Override
        public EventSigner signer() {
            try {
                return signerOne();
            } catch (GeneralSecurityException impossible) {
                throw new AssertionError(impossible);
            }
        }

        @Override
        public String publicKey() {
            return TestKey.ONE.x();
        }

        @Test
        void it_signs_as_java_does_with_the_same_key() {
            for (String message :
                    new String[] {"", "agent-policy/event-sig/v1\n" + "0".repeat(64) + "\n", "é\uD83D\uDE00"}) {
                assertThat(signer().sign(message)).isEqualTo(TestKey.ONE.sign(message));
            }
        }

        @Test
        void the_check_accepts_what_was_signed_and_nothing_else() {
            TinkSignatureCheck check = new TinkSignatureCheck();
            String signature = signer().sign("a message");

            assertThat(check.isSignedBy(TestKey.ONE.x(), "a message", signature))
                    .isTrue();
            assertThat(check.isSignedBy(TestKey.ONE.x(), "another", signature)).isFalse();
            assertThat(check.isSignedBy(TestKey.TWO.x(), "a message", signature))
                    .isFalse();
            assertThat(check.isSignedBy("no key", "a message", signature)).isFalse();
            assertThat(check.isSignedBy("Ag" + "A".repeat(41), "a message", signature))
                    .describedAs("no point of the curve")
                    .isFalse();
            assertThat(check.isSignedBy(TestKey.ONE.x(), "a message", signature + "=="))
                    .isFalse();
            assertThat(check.isSignedBy(TestKey.ONE.x(), "a message", plusOrder(signature)))
                    .isFalse();
        }

        /**
         * The same signature with its scalar enlarged by the order of the group: equal in arithmetic, refused by RFC 8032.
         */
        private static String plusOrder(String signature) {
            byte[] bytes = Base64Url.decode(signature, Base64Url.SIGNATURE_BYTES);
            byte[] order = HexFormat.of().parseHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
            int carry = 0;
            for (int i = 0; i < order.length; i++) {
                carry += (bytes[32 + i] & 0xff) + (order[i] & 0xff);
                bytes[32 + i] = (byte) carry;
                carry >>= 8;
            }
            return Base64Url.encode(bytes);
        }
    }

    private static TinkEventSigner signerOne() throws GeneralSecurityException {
        SignatureConfig.register();
        Bytes x = Bytes.copyFrom(Base64Url.decode(TestKey.ONE.x(), Base64Url.KEY_BYTES));
        SecretBytes secret = SecretBytes.copyFrom(HexFormat.of().parseHex(SECRET_ONE), InsecureSecretKeyAccess.get());
        Ed25519PrivateKey key = Ed25519PrivateKey.create(Ed25519PublicKey.create(x), secret);
        return TinkEventSigner.of(KeysetHandle.newBuilder()
                .addEntry(KeysetHandle.importKey(key).withRandomId().makePrimary())
                .build());
    }
}
