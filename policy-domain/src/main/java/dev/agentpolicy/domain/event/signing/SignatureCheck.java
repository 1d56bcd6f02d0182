package dev.agentpolicy.domain.event.signing;

import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/** Verifies one Ed25519 signature (RFC 8032, pure). */
@FunctionalInterface
public interface SignatureCheck {

    /**
     * Whether a message was signed by the owner of a key.
     *
     * @param x the public key, 32 bytes in base64url
     * @param message the signed text, in UTF-8
     * @param signature 64 bytes in base64url; any other text is no valid signature
     */
    boolean isSignedBy(String x, String message, String signature);

    /**
     * The check of the Java runtime. It takes about 0.6 ms a signature, which is fast enough to verify a chain now and
     * then.
     */
    static SignatureCheck ofJdk() {
        return SignatureCheck::isSignedInJdk;
    }

    private static boolean isSignedInJdk(String x, String message, String signature) {
        byte[] keyBytes = Base64Url.decode(x, Base64Url.KEY_BYTES);
        byte[] signatureBytes = Base64Url.decode(signature, Base64Url.SIGNATURE_BYTES);
        if (keyBytes == null || signatureBytes == null) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key(keyBytes));
            verifier.update(message.getBytes(StandardCharsets.UTF_8));
            return verifier.verify(signatureBytes);
        } catch (InvalidKeySpecException | InvalidKeyException | SignatureException noSuchKeyOrSignature) {
            return false;
        } catch (GeneralSecurityException absent) {
            throw new IllegalStateException("Every Java since 15 has Ed25519.", absent);
        }
    }

    private static PublicKey key(byte[] bytes) throws GeneralSecurityException {
        // SubjectPublicKeyInfo of an Ed25519 key, up to the 32 bytes of the key (RFC 8410).
        byte[] encoded = HexFormat.of()
                .parseHex("302a300506032b6570032100" + HexFormat.of().formatHex(bytes));
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    }
}
