package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import com.google.crypto.tink.signature.SignatureConfig;
import dev.agentpolicy.domain.event.SigningKey;
import dev.agentpolicy.domain.event.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SealedKeys.Sealed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The signing keys of a service, opened with its master key: one active key for each thing that is signed.
 *
 * <p>Private keys lie in the database sealed by the master key, each bound to its own id, and in clear only inside of
 * Tink. Nodes that share a database share the master key file's content, and so all sign with the same keys.
 */
public final class KeyRing {
    private static final List<Purpose> PURPOSES = List.of(Purpose.EVENT, Purpose.ANCHOR, Purpose.SANDBOX);
    private static final int WARM_UP_SIGNATURES = 3_000;

    private final Map<Purpose, EventSigner> signers;

    private KeyRing(Map<Purpose, EventSigner> signers) {
        this.signers = signers;
    }

    /** Sets up Tink, which takes a while and needs no database, so that it can be done while one is opened. */
    public static void prepare() {
        Ed25519Engine.register();
        try {
            AeadConfig.register();
            SignatureConfig.register();
        } catch (GeneralSecurityException impossible) {
            throw new UnusableKeys("Tink could not be set up; see the cause.", impossible);
        }
    }

    /**
     * Opens the keys there are and makes those that are missing.
     *
     * @param masterKeyFile made when there is none and no keys need it
     * @param keys where all nodes keep their keys
     * @param now when keys made now begin to be valid
     * @throws UnusableKeys when the service must not start; the message says what to do
     */
    public static KeyRing open(Path masterKeyFile, SealedKeys keys, Instant now) {
        prepare();
        boolean hasKeys = !keys.all().isEmpty();
        if (!MasterKey.exists(masterKeyFile)) {
            if (hasKeys) {
                throw new UnusableKeys(
                        "The database has signing keys, but the master key file " + masterKeyFile
                                + " they were sealed with is missing; restore it, or name the right file.",
                        null);
            }
            MasterKey.create(masterKeyFile);
        }
        Aead master = MasterKey.read(masterKeyFile);
        Map<Purpose, EventSigner> signers = new EnumMap<>(Purpose.class);
        PURPOSES.forEach(purpose -> signers.put(purpose, signer(purpose, masterKeyFile, master, keys, now)));
        return new KeyRing(signers);
    }

    /** What signs rows and heads ({@code EVENT}, {@code SANDBOX}) or anchors and the manifest ({@code ANCHOR}). */
    public EventSigner signer(Purpose purpose) {
        EventSigner signer = signers.get(purpose);
        if (signer == null) {
            throw new IllegalArgumentException("Keys of purpose " + purpose.wireName() + " do not sign in a service.");
        }
        return signer;
    }

    /** Which implementation signs, for the log at the start. */
    public String implementation() {
        return Ed25519Engine.name();
    }

    /** Signs until the code is compiled; the first rows would wait a millisecond each otherwise. */
    public void warmUp() {
        EventSigner signer = signer(Purpose.SANDBOX);
        for (int i = 0; i < WARM_UP_SIGNATURES; i++) {
            signer.sign("agent-policy/warm-up/v1\n" + i + "\n");
        }
    }

    private static EventSigner signer(Purpose purpose, Path file, Aead master, SealedKeys keys, Instant now) {
        try {
            Sealed sealed = keys.active(purpose).orElse(null);
            return opened(sealed != null ? sealed : keys.storeFirst(fresh(purpose, master, now)), master);
        } catch (GeneralSecurityException sealedByAnother) {
            throw new UnusableKeys(
                    "The master key file " + file + " does not open the " + purpose.wireName()
                            + " signing key in the database; give every node the file the keys were sealed with.",
                    sealedByAnother);
        }
    }

    private static Sealed fresh(Purpose purpose, Aead master, Instant now) throws GeneralSecurityException {
        KeysetHandle keyset = KeysetHandle.generateNew(
                PredefinedSignatureParameters.ED25519WithRawOutput, RegistryConfiguration.get());
        SigningKey key = SigningKey.active(TinkEventSigner.publicKey(keyset), purpose, now);
        return new Sealed(
                key,
                TinkProtoKeysetFormat.serializeEncryptedKeyset(
                        keyset, master, associatedData(key.kid()), RegistryConfiguration.get()));
    }

    private static EventSigner opened(Sealed sealed, Aead master) throws GeneralSecurityException {
        String kid = sealed.key().kid();
        TinkEventSigner signer = TinkEventSigner.of(TinkProtoKeysetFormat.parseEncryptedKeyset(
                sealed.privatePart(), master, associatedData(kid), RegistryConfiguration.get()));
        if (!signer.keyId().equals(kid)) {
            throw new GeneralSecurityException("The sealed key is not the one its id names.");
        }
        return signer;
    }

    /** Binds the ciphertext to the id of its key, so that ciphertexts cannot be exchanged in the database. */
    private static byte[] associatedData(String kid) {
        return ("agent-policy/signing-key/v1|kid=" + kid).getBytes(StandardCharsets.UTF_8);
    }
}
