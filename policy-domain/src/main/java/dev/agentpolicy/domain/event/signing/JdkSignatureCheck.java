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

/** Verifies Ed25519 signatures with the Java runtime. */
final class JdkSignatureCheck implements SignatureCheck {
    private static final String ALGORITHM = "Ed25519";
    /** SubjectPublicKeyInfo of an Ed25519 key, up to the 32 bytes of the key (RFC 8410). */
    private static final String KEY_PREFIX = "302a300506032b6570032100";

    @Override
    public boolean isSignedBy(String x, String message, String signature) {
        byte[] keyBytes = Base64Url.decode(x, Base64Url.KEY_BYTES);
        byte[] signatureBytes = Base64Url.decode(signature, Base64Url.SIGNATURE_BYTES);
        if (keyBytes == null || signatureBytes == null) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance(ALGORITHM);
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
        byte[] encoded = HexFormat.of().parseHex(KEY_PREFIX + HexFormat.of().formatHex(bytes));
        return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
    }
}
