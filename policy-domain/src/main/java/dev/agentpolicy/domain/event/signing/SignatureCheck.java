package dev.agentpolicy.domain.event.signing;

/** Verifies one Ed25519 signature (RFC 8032, pure). */
@FunctionalInterface
public interface SignatureCheck {

    /**
     * Whether a message was signed by the owner of a key.
     *
     * @param x the public key, 32 bytes in base64url
     * @param message its UTF-8 bytes are what was signed
     * @param signature 64 bytes in base64url; anything else is not a signature
     */
    boolean isSignedBy(String x, String message, String signature);

    /** The check that needs nothing but Java; slow (about 0.6 ms), for those who verify a chain now and then. */
    static SignatureCheck ofJdk() {
        return new JdkSignatureCheck();
    }
}
