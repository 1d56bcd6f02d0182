package dev.agentpolicy.domain.event;

import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.EventSigner;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;

/** An Ed25519 key with a published secret, from RFC 8032, section 7.1. Signs with the Java runtime alone. */
public final class TestKey implements EventSigner {
    public static final TestKey ONE = of("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    public static final TestKey TWO = of("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    /** RFC 8032, test 3: the anchor key of the vectors. */
    public static final TestKey ANCHOR = of("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7");
    /** RFC 8032, test 1024: the root key of the vectors. */
    public static final TestKey ROOT = of("f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5");
    /** RFC 8032, test SHA(abc): a key that is in no vector. */
    public static final TestKey STRANGER = of("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42");

    private static final int KEY_BYTES = 32;

    private final KeyPair pair;
    private final String x;

    private TestKey(KeyPair pair) {
        this.pair = pair;
        byte[] encoded = pair.getPublic().getEncoded();
        this.x = Base64Url.encode(Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length));
    }

    public static TestKey of(String secretHex) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519", "SunEC");
            generator.initialize(255, new Fixed(HexFormat.of().parseHex(secretHex)));
            return new TestKey(generator.generateKeyPair());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The public key, base64url. */
    public String x() {
        return x;
    }

    @Override
    public String keyId() {
        return SigningKey.thumbprint(x);
    }

    @Override
    public String sign(String message) {
        return sign(message.getBytes(StandardCharsets.UTF_8));
    }

    /** A signature of bytes, base64url. */
    public String sign(byte[] message) {
        try {
            Signature signature = Signature.getInstance("Ed25519", "SunEC");
            signature.initSign(pair.getPrivate());
            signature.update(message);
            return Base64Url.encode(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public SigningKey active(SigningKey.Purpose purpose, Instant validFrom) {
        return SigningKey.active(x, purpose, validFrom);
    }

    /** A source of randomness that always returns the same bytes. */
    private static final class Fixed extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final byte[] bytes;

        Fixed(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void nextBytes(byte[] target) {
            System.arraycopy(bytes, 0, target, 0, target.length);
        }
    }
}
