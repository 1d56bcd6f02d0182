package dev.agentpolicy.app;

import com.google.crypto.tink.apps.webpush.WebPushHybridDecrypt;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;

/** The keys of a browser that has subscribed to a push service. */
public record SoftBrowser(KeyPair keys, byte[] secretBytes) {
    private static final int COORDINATE_BYTES = 32;

    public static SoftBrowser make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            byte[] secret = new byte[16];
            new SecureRandom().nextBytes(secret);
            return new SoftBrowser(generator.generateKeyPair(), secret);
        } catch (GeneralSecurityException absent) {
            throw new AssertionError(absent);
        }
    }

    public String publicKey() {
        byte[] point = new byte[1 + 2 * COORDINATE_BYTES];
        point[0] = 4;
        ECPublicKey key = (ECPublicKey) keys.getPublic();
        System.arraycopy(bytes(key.getW().getAffineX()), 0, point, 1, COORDINATE_BYTES);
        System.arraycopy(bytes(key.getW().getAffineY()), 0, point, 1 + COORDINATE_BYTES, COORDINATE_BYTES);
        return Base64Url.encode(point);
    }

    String privateKey() {
        return Base64Url.encode(bytes(((ECPrivateKey) keys.getPrivate()).getS()));
    }

    public String secret() {
        return Base64Url.encode(secretBytes);
    }

    /** What a browser sends when it has subscribed. */
    public String subscription(URI endpoint) {
        return "{\"endpoint\":\"" + endpoint + "\",\"expirationTime\":null,\"keys\":{\"p256dh\":\"" + publicKey()
                + "\",\"auth\":\"" + secret() + "\"}}";
    }

    /** The text of a message. */
    public String open(String body) {
        try {
            return new String(
                    new WebPushHybridDecrypt.Builder()
                            .withRecipientPublicKey((ECPublicKey) keys.getPublic())
                            .withRecipientPrivateKey((ECPrivateKey) keys.getPrivate())
                            .withAuthSecret(secretBytes)
                            .build()
                            .decrypt(Base64Url.decode(body), null),
                    StandardCharsets.UTF_8);
        } catch (GeneralSecurityException foreign) {
            throw new AssertionError(foreign);
        }
    }

    private static byte[] bytes(BigInteger number) {
        byte[] signed = number.toByteArray();
        byte[] bytes = new byte[COORDINATE_BYTES];
        byte[] digits = signed.length > COORDINATE_BYTES
                ? Arrays.copyOfRange(signed, signed.length - COORDINATE_BYTES, signed.length)
                : signed;
        System.arraycopy(digits, 0, bytes, COORDINATE_BYTES - digits.length, digits.length);
        return bytes;
    }
}
