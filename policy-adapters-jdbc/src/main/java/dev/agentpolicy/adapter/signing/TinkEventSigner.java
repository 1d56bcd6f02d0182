package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.PublicKeySign;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.signature.Ed25519PrivateKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.EventSigner;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** Signs with one Ed25519 key in Tink. A signature is the plain 64 bytes of RFC 8032. */
final class TinkEventSigner implements EventSigner {
    private final String keyId;
    private final PublicKeySign primitive;

    private TinkEventSigner(String keyId, PublicKeySign primitive) {
        this.keyId = keyId;
        this.primitive = primitive;
    }

    /** A signer for a keyset of exactly one raw Ed25519 key. */
    static TinkEventSigner of(KeysetHandle keyset) throws GeneralSecurityException {
        return new TinkEventSigner(
                SigningKey.thumbprint(publicKey(keyset)),
                keyset.getPrimitive(RegistryConfiguration.get(), PublicKeySign.class));
    }

    /** The public half of a keyset of one raw Ed25519 key, base64url. */
    @AccessesPartialKey
    static String publicKey(KeysetHandle keyset) throws GeneralSecurityException {
        boolean isRaw = keyset.size() == 1
                && keyset.getPrimary().getKey() instanceof Ed25519PrivateKey key
                && key.getOutputPrefix().size() == 0;
        if (!isRaw) {
            throw new GeneralSecurityException("The keyset is not one raw Ed25519 key.");
        }
        Ed25519PrivateKey key = (Ed25519PrivateKey) keyset.getPrimary().getKey();
        return Base64Url.encode(key.getPublicKey().getPublicKeyBytes().toByteArray());
    }

    @Override
    public String keyId() {
        return keyId;
    }

    @Override
    public String sign(String message) {
        try {
            return Base64Url.encode(primitive.sign(message.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("Signing with key " + keyId + " failed; see the cause.", failed);
        }
    }
}
