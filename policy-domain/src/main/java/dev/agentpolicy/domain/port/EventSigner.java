package dev.agentpolicy.domain.port;

/** Signs with the one active key of its purpose. */
public interface EventSigner {

    /** RFC 7638 thumbprint of the key that signs, 43 characters. */
    String keyId();

    /** Ed25519 over the UTF-8 bytes of a message that begins with the line of its purpose; base64url, 86 characters. */
    String sign(String message);
}
