package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.function.Function;

/** Makes signing keys and encrypts ("seals") their private parts with the master key, each bound to the id of its key. */
final class KeySafe {
    private final Path file;
    private final boolean isReread;
    private volatile Aead master;

    private KeySafe(Path file, boolean isReread, Aead master) {
        this.file = file;
        this.isReread = isReread;
        this.master = master;
    }

    /**
     * Uses the master key of a file. The file is read again when a key does not open, because it may have been replaced
     * while this process was running.
     */
    static KeySafe read(Path file) {
        return new KeySafe(file, true, MasterKey.read(file));
    }

    /**
     * Uses a given keyset only.
     *
     * @param file the file of the keyset, for messages
     */
    static KeySafe of(Path file, KeysetHandle keyset) {
        return new KeySafe(file, false, MasterKey.aead(keyset, file));
    }

    /** Makes a new key. Its private part leaves this method in sealed form only. */
    SealedKey make(Function<String, SigningKey> life) throws GeneralSecurityException {
        KeysetHandle keyset = KeysetHandle.generateNew(
                PredefinedSignatureParameters.ED25519WithRawOutput, RegistryConfiguration.get());
        SigningKey key = life.apply(TinkEventSigner.publicKey(keyset));
        return seal(key, keyset);
    }

    /** Opens a sealed key for signing. */
    TinkEventSigner open(SealedKey sealed) {
        try {
            return TinkEventSigner.of(keyset(sealed));
        } catch (GeneralSecurityException noSigner) {
            throw notOpened(sealed.key(), noSigner);
        }
    }

    /** Opens a key and seals it again with the current master key. */
    SealedKey seal(SealedKey sealed) {
        try {
            return seal(sealed.key(), keyset(sealed));
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("A signing key could not be sealed; see the cause.", failed);
        }
    }

    private SealedKey seal(SigningKey key, KeysetHandle keyset) throws GeneralSecurityException {
        return new SealedKey(
                key,
                TinkProtoKeysetFormat.serializeEncryptedKeyset(
                        keyset, master, associatedData(key.kid()), RegistryConfiguration.get()));
    }

    private KeysetHandle keyset(SealedKey sealed) {
        try {
            return keyset(sealed, master);
        } catch (GeneralSecurityException sealedByAnother) {
            if (!isReread) {
                throw notOpened(sealed.key(), sealedByAnother);
            }
            return keysetByFile(sealed);
        }
    }

    private KeysetHandle keysetByFile(SealedKey sealed) {
        Aead now = MasterKey.read(file);
        try {
            KeysetHandle opened = keyset(sealed, now);
            master = now;
            return opened;
        } catch (GeneralSecurityException sealedByAnother) {
            throw notOpened(sealed.key(), sealedByAnother);
        }
    }

    private static KeysetHandle keyset(SealedKey sealed, Aead master) throws GeneralSecurityException {
        String kid = sealed.key().kid();
        KeysetHandle keyset = TinkProtoKeysetFormat.parseEncryptedKeyset(
                sealed.privatePart(), master, associatedData(kid), RegistryConfiguration.get());
        if (!SigningKey.thumbprint(TinkEventSigner.publicKey(keyset)).equals(kid)) {
            throw new GeneralSecurityException("The private part belongs to another key.");
        }
        return keyset;
    }

    private UnusableKeys notOpened(SigningKey key, GeneralSecurityException why) {
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
