package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import com.google.crypto.tink.signature.SignatureConfig;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKey.Status;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SealedKeys.Sealed;
import dev.agentpolicy.domain.port.SealedKeys.StateChange;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
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
    /** A key that waits may become active between looking and replacing, but not twice. */
    private static final int REPLACING = 3;

    private final Map<Purpose, EventSigner> signers;
    private final KeySafe safe;
    private final SealedKeys keys;

    private KeyRing(Map<Purpose, EventSigner> signers, KeySafe safe, SealedKeys keys) {
        this.signers = signers;
        this.safe = safe;
        this.keys = keys;
    }

    /** Sets up Tink, which takes a while and needs no database, so that it can be done while one is opened. */
    public static void prepare() {
        register();
        try {
            KeysetHandle.generateNew(PredefinedSignatureParameters.ED25519WithRawOutput, RegistryConfiguration.get());
        } catch (GeneralSecurityException impossible) {
            throw new UnusableKeys("Tink makes no key; see the cause.", impossible);
        }
    }

    static void register() {
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
     * @param clock says when keys made now begin to be valid, and when one that waits becomes active
     * @throws UnusableKeys when the service must not start; the message says what to do
     */
    public static KeyRing open(Path masterKeyFile, SealedKeys keys, InstantSource clock) {
        register();
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
        KeySafe safe = KeySafe.read(masterKeyFile);
        Map<Purpose, EventSigner> signers = new EnumMap<>(Purpose.class);
        for (Purpose purpose : PURPOSES) {
            Sealed active = keys.active(purpose).orElseGet(() -> first(purpose, safe, keys, clock.instant()));
            EventSigner fixed = safe.open(active);
            signers.put(purpose, purpose == Purpose.EVENT ? new PresentSigner(keys, safe, clock) : fixed);
        }
        return new KeyRing(signers, safe, keys);
    }

    /** The same with a clock that stands still, for as long as no key waits for its time. */
    public static KeyRing open(Path masterKeyFile, SealedKeys keys, Instant now) {
        return open(masterKeyFile, keys, InstantSource.fixed(now));
    }

    /**
     * Revokes the present event key, which someone else may have, and goes over to a new one at once. A key that waits
     * for its time is revoked with it: the stolen one vouched for it, and whoever took the one may have the other.
     *
     * @param since from when on someone else may have had it
     * @param root a root key that was published before, and vouches for the new key
     */
    public SigningKey replaceCompromised(Instant since, EventSigner root, Instant now) {
        boolean isPublished = keys.all().stream()
                .anyMatch(key -> key.purpose() == Purpose.ROOT && key.kid().equals(root.keyId()));
        if (!isPublished) {
            throw new UnusableKeys(
                    "This root key is not in the manifest, so nobody would believe it; make and publish one by"
                            + " 'keys root FILE'.",
                    null);
        }
        try {
            Sealed next =
                    safe.make(x -> SigningKey.active(x, Purpose.EVENT, now).attestedBy(root.keyId(), root::sign));
            for (int attempt = 0; attempt < REPLACING; attempt++) {
                if (keys.replace(lost(since, now), next)) {
                    refresh();
                    return next.key();
                }
            }
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("No signing key could be made; see the cause.", failed);
        }
        throw new UnusableKeys(
                "Another node changes the signing keys at this moment; look at them and try again.", null);
    }

    private List<StateChange> lost(Instant since, Instant now) {
        return keys.all().stream()
                .filter(key -> key.purpose() == Purpose.EVENT)
                .filter(key -> key.status() == Status.ACTIVE || key.status() == Status.PENDING)
                .map(key -> new StateChange(key, key.compromised(now, since)))
                .toList();
    }

    /** Looks for the present event key now, and makes one active whose time has come. */
    public void refresh() {
        signer(Purpose.EVENT).from(signer(Purpose.EVENT).keyId());
    }

    /**
     * Publishes the next event key, vouched for by the present one; every node signs with it once its time has come.
     *
     * @param validFrom when it becomes active
     * @return the key that waits, which may have been made before
     */
    public SigningKey prepareNext(Instant validFrom) {
        EventSigner present = signer(Purpose.EVENT).current();
        try {
            Sealed made = safe.make(
                    x -> SigningKey.pending(x, Purpose.EVENT, validFrom).attestedBy(present.keyId(), present::sign));
            if (keys.storePending(made)) {
                return made.key();
            }
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("No signing key could be made; see the cause.", failed);
        }
        return keys.all().stream()
                .filter(key -> key.purpose() == Purpose.EVENT && key.status() == Status.PENDING)
                .findFirst()
                .orElseThrow();
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

    private static Sealed first(Purpose purpose, KeySafe safe, SealedKeys keys, Instant now) {
        try {
            return keys.storeFirst(safe.make(x -> SigningKey.active(x, purpose, now)));
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("No " + purpose.wireName() + " signing key could be made; see the cause.", failed);
        }
    }
}
