package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.port.SealedKeys.Sealed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes signing keys and opens them again, sealed by the master key and each bound to its own id.
 *
 * @param file where the master key is, for messages
 * @param master the master key
 */
record KeySafe(Path file, Aead master) {

    /** A new key, of which nothing but the sealed form leaves this method. */
    Sealed make(Function<String, SigningKey> life) throws GeneralSecurityException {
        KeysetHandle keyset = KeysetHandle.generateNew(
                PredefinedSignatureParameters.ED25519WithRawOutput, RegistryConfiguration.get());
        SigningKey key = life.apply(TinkEventSigner.publicKey(keyset));
        return new Sealed(
                key,
                TinkProtoKeysetFormat.serializeEncryptedKeyset(
                        keyset, master, associatedData(key.kid()), RegistryConfiguration.get()));
    }

    TinkEventSigner open(Sealed sealed) {
        String kid = sealed.key().kid();
        GeneralSecurityException why = null;
        try {
            TinkEventSigner signer = TinkEventSigner.of(TinkProtoKeysetFormat.parseEncryptedKeyset(
                    sealed.privatePart(), master, associatedData(kid), RegistryConfiguration.get()));
            if (signer.keyId().equals(kid)) {
                return signer;
            }
        } catch (GeneralSecurityException sealedByAnother) {
            why = sealedByAnother;
        }
        throw notOpened(sealed.key(), why);
    }

    private UnusableKeys notOpened(SigningKey key, @Nullable GeneralSecurityException why) {
        return new UnusableKeys(
                "The master key file " + file + " does not open the "
                        + key.purpose().wireName()
                        + " signing key in the database; give every node the file the keys were sealed with.",
                why);
    }

    /** Binds the ciphertext to the id of its key, so that ciphertexts cannot be exchanged in the database. */
    private static byte[] associatedData(String kid) {
        return ("agent-policy/signing-key/v1|kid=" + kid).getBytes(StandardCharsets.UTF_8);
    }
}
