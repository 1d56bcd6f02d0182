package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;

/** Signs with a new Ed25519 key and the Java runtime alone; slow, but fast enough for tests. */
public final class JdkSigner implements EventSigner {
    private static final String ED25519 = "Ed25519";
    private static final String PROVIDER = "SunEC";

    private final KeyPair pair;
    private final SigningKey key;

    public JdkSigner() {
        this(Purpose.EVENT);
    }

    public JdkSigner(Purpose purpose) {
        try {
            pair = KeyPairGenerator.getInstance(ED25519, PROVIDER).generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] x = Arrays.copyOfRange(encoded, encoded.length - Base64Url.KEY_BYTES, encoded.length);
        key = SigningKey.active(Base64Url.encode(x), purpose, Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** The public key. */
    public SigningKey key() {
        return key;
    }

    @Override
    public String keyId() {
        return key.kid();
    }

    @Override
    public String sign(String message) {
        try {
            Signature signature = Signature.getInstance(ED25519, PROVIDER);
            signature.initSign(pair.getPrivate());
            signature.update(message.getBytes(StandardCharsets.UTF_8));
            return Base64Url.encode(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
