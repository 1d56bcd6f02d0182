package dev.agentpolicy.domain.event.signing;

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
        return new JdkSignatureCheck();
    }
}
