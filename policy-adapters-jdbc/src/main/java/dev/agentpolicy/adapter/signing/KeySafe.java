package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.PublicKeySign;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.signature.Ed25519PrivateKey;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SealedCredentials.SealedCredential;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Makes signing keys and encrypts ("seals") their private parts with the master key, each bound to the id of its key, and
 * the credentials of custodians, bound to user and custodian.
 */
final class KeySafe {
    private static final byte[] TOKEN_SECRET = "agent-policy/token-secret/v1".getBytes(StandardCharsets.UTF_8);

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

    /**
     * Encrypts credentials with the master key that opens a signing key.
     *
     * @param active a signing key as it is stored; its master key is the one of the whole database
     * @throws UnusableKeys when the master key file does not open the signing key, because it was replaced elsewhere
     */
    byte[] seal(SealedKey active, UserId user, String custodian, BrokerCredentials credentials) {
        keyset(active);
        return encrypted(user, custodian, text(credentials));
    }

    /** Decrypts credentials. */
    BrokerCredentials open(SealedCredential sealed) {
        return credentials(decrypted(sealed));
    }

    /** Decrypts credentials and encrypts them again with the current master key. */
    SealedCredential seal(SealedCredential sealed) {
        byte[] text = decrypted(sealed);
        return new SealedCredential(
                sealed.user(), sealed.custodian(), encrypted(sealed.user(), sealed.custodian(), text));
    }

    /**
     * Encrypts the secret of tokens with the master key that opens a signing key.
     *
     * @throws UnusableKeys as for credentials
     */
    byte[] sealTokenSecret(SealedKey active, byte[] secret) {
        keyset(active);
        return encrypted(secret, TOKEN_SECRET);
    }

    byte[] openTokenSecret(byte[] sealed) {
        return opened(by -> by.decrypt(sealed, TOKEN_SECRET), this::notOpened);
    }

    /** Decrypts the secret of tokens and encrypts it again with the current master key. */
    byte[] resealTokenSecret(byte[] sealed) {
        return encrypted(openTokenSecret(sealed), TOKEN_SECRET);
    }

    private byte[] encrypted(UserId user, String custodian, byte[] text) {
        return encrypted(text, associatedData(user, custodian));
    }

    private byte[] encrypted(byte[] text, byte[] bound) {
        try {
            return master.encrypt(text, bound);
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("Something could not be sealed with the master key; see the cause.", failed);
        }
    }

    private byte[] decrypted(SealedCredential sealed) {
        byte[] bound = associatedData(sealed.user(), sealed.custodian());
        return opened(by -> by.decrypt(sealed.ciphertext(), bound), this::notOpened);
    }

    /** Opens something with the master key, or with that of the file if it was replaced. */
    private <T> T opened(Opening<T> opening, Function<GeneralSecurityException, UnusableKeys> failure) {
        try {
            return opening.open(master);
        } catch (GeneralSecurityException sealedByAnother) {
            if (!isReread) {
                throw failure.apply(sealedByAnother);
            }
        }
        Aead now = MasterKey.read(file);
        try {
            T opened = opening.open(now);
            master = now;
            return opened;
        } catch (GeneralSecurityException sealedByAnother) {
            throw failure.apply(sealedByAnother);
        }
    }

    /** Opens something with a master key. */
    private interface Opening<T> {
        T open(Aead master) throws GeneralSecurityException;
    }

    private UnusableKeys notOpened(GeneralSecurityException why) {
        return new UnusableKeys(
                "The master key file " + file
                        + " does not open the credentials of a custodian, or the secret of tokens,"
                        + " in the database; give every node the file they were sealed with, or have the user connect the"
                        + " custodian again.",
                why);
    }

    private static byte[] text(BrokerCredentials credentials) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("environment", credentials.environment().wireName());
        members.put("keyId", credentials.keyId());
        members.put("secretKey", credentials.secretKey());
        return CanonicalForm.writeStored(members).getBytes(StandardCharsets.UTF_8);
    }

    private static BrokerCredentials credentials(byte[] text) {
        Stored stored = new Stored(CanonicalForm.readStored(new String(text, StandardCharsets.UTF_8)));
        return new BrokerCredentials(
                stored.word("environment", BrokerEnvironment.class), stored.text("keyId"), stored.text("secretKey"));
    }

    /** Makes a new key. Its private part leaves this method in sealed form only. */
    SealedKey make(Function<String, SigningKey> life) {
        try {
            KeysetHandle keyset = KeysetHandle.generateNew(
                    PredefinedSignatureParameters.ED25519WithRawOutput, RegistryConfiguration.get());
            return seal(life.apply(TinkEventSigner.publicKey(keyset)), keyset);
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("No signing key could be made; see the cause.", failed);
        }
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
        return opened(by -> keyset(sealed, by), why -> notOpened(sealed.key(), why));
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

    /** Binds the ciphertext to its user and custodian, so that ciphertexts cannot be exchanged in the database. */
    private static byte[] associatedData(UserId user, String custodian) {
        return ("agent-policy/custodian/v1|user=" + user + "|custodian=" + custodian).getBytes(StandardCharsets.UTF_8);
    }

    /** Binds the ciphertext to the id of its key, so that ciphertexts cannot be exchanged in the database. */
    private static byte[] associatedData(String kid) {
        return ("agent-policy/signing-key/v1|kid=" + kid).getBytes(StandardCharsets.UTF_8);
    }

    /** Signs with one Ed25519 key in Tink. A signature is the plain 64 bytes of RFC 8032. */
    static final class TinkEventSigner implements EventSigner {
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
}
