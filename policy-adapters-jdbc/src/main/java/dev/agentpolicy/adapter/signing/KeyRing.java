package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import com.google.crypto.tink.signature.SignatureConfig;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SealedCredentials;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import dev.agentpolicy.domain.port.SealedKeys.StateChange;
import dev.agentpolicy.domain.port.TokenDerivation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signing keys of a service, opened with its master key: one active key for each purpose.
 *
 * <p>The database holds private keys encrypted with the master key, each bound to its id. They are in clear only inside
 * Tink. Nodes that share a database have copies of one master key file, so they all sign with the same keys.
 */
public final class KeyRing {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRing.class);
    private static final String CONSCRYPT = "Conscrypt";
    private static final String HMAC = "HmacSHA256";
    private static final int SECRET_BYTES = 32;
    private static final List<Purpose> PURPOSES = List.of(Purpose.EVENT, Purpose.ANCHOR, Purpose.SANDBOX);
    private static final int WARM_UP_SIGNATURES = 3_000;
    /** A pending key may become active between reading and replacing, but not twice. */
    private static final int MAX_REPLACE_ATTEMPTS = 3;

    private final Map<Purpose, EventSigner> signers;
    private final KeySafe safe;
    private final SealedKeys keys;

    private KeyRing(Map<Purpose, EventSigner> signers, KeySafe safe, SealedKeys keys) {
        this.signers = signers;
        this.safe = safe;
        this.keys = keys;
    }

    /** Initializes Tink. This takes a while and needs no database, so it can run while the database is opened. */
    public static void prepare() {
        register();
        try {
            KeysetHandle.generateNew(PredefinedSignatureParameters.ED25519WithRawOutput, RegistryConfiguration.get());
        } catch (GeneralSecurityException impossible) {
            throw new UnusableKeys("Tink cannot generate a key; see the cause.", impossible);
        }
    }

    /** Must be called before Tink makes its first primitive. */
    static void register() {
        registerConscrypt();
        try {
            AeadConfig.register();
            SignatureConfig.register();
        } catch (GeneralSecurityException impossible) {
            throw new UnusableKeys("Tink cannot be initialized; see the cause.", impossible);
        }
    }

    /**
     * Opens the stored keys and creates the missing ones.
     *
     * @param masterKeyFile created if it does not exist and no key is stored
     * @param keys the keys of all nodes
     * @param clock gives the start of validity of new keys, and the time at which a pending key becomes active
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
            SealedKey active = keys.active(purpose)
                    .orElseGet(() -> keys.storeFirst(safe.make(x -> SigningKey.active(x, purpose, clock.instant()))));
            EventSigner fixed = safe.open(active);
            signers.put(purpose, purpose == Purpose.EVENT ? new ActiveKeySigner(keys, safe, clock) : fixed);
        }
        return new KeyRing(signers, safe, keys);
    }

    /** The same with a fixed time, for uses in which no pending key becomes active. */
    public static KeyRing open(Path masterKeyFile, SealedKeys keys, Instant now) {
        return open(masterKeyFile, keys, InstantSource.fixed(now));
    }

    /**
     * Revokes the active event key, which may be stolen, and activates a new one at once. A pending key is revoked too: the
     * stolen key attested it, and the thief may have both.
     *
     * @param since the earliest time at which the key may have been stolen
     * @param root a root key that is already published; it attests the new key
     */
    public SigningKey replaceCompromised(Instant since, EventSigner root, Instant now) {
        boolean isPublished = keys.all().stream()
                .anyMatch(key -> key.purpose() == Purpose.ROOT && key.kid().equals(root.keyId()));
        if (!isPublished) {
            throw new UnusableKeys(
                    "This root key is not in the manifest, so no verifier would trust it; make and publish one with"
                            + " 'keys root FILE'.",
                    null);
        }
        SealedKey next = safe.make(x -> SigningKey.active(x, Purpose.EVENT, now).attestedBy(root.keyId(), root::sign));
        for (int attempt = 0; attempt < MAX_REPLACE_ATTEMPTS; attempt++) {
            if (keys.replace(revocations(since, now), next)) {
                refresh();
                return next.key();
            }
        }
        throw new UnusableKeys("Another node is changing the signing keys; check them and try again.", null);
    }

    private List<StateChange> revocations(Instant since, Instant now) {
        return keys.all().stream()
                .filter(key -> key.purpose() == Purpose.EVENT)
                .filter(key -> key.status() == KeyStatus.ACTIVE || key.status() == KeyStatus.PENDING)
                .map(key -> new StateChange(key, key.compromised(now, since)))
                .toList();
    }

    /** Reads the active event key from the database, and activates a pending key that is due. */
    public void refresh() {
        signer(Purpose.EVENT).from(signer(Purpose.EVENT).keyId());
    }

    /**
     * Publishes the next event key, attested by the active one. Every node signs with it from {@code validFrom} on.
     *
     * @param validFrom when it becomes active
     * @return the pending key, which may have existed before
     */
    public SigningKey prepareNext(Instant validFrom) {
        EventSigner present = signer(Purpose.EVENT).current();
        SealedKey made = safe.make(
                x -> SigningKey.pending(x, Purpose.EVENT, validFrom).attestedBy(present.keyId(), present::sign));
        if (keys.storePending(made)) {
            return made.key();
        }
        return keys.all().stream()
                .filter(key -> key.purpose() == Purpose.EVENT && key.status() == KeyStatus.PENDING)
                .findFirst()
                .orElseThrow();
    }

    /** The signer of rows and heads ({@code EVENT}, {@code SANDBOX}) or of anchors and the manifest ({@code ANCHOR}). */
    public EventSigner signer(Purpose purpose) {
        EventSigner signer = signers.get(purpose);
        if (signer == null) {
            throw new IllegalArgumentException("Keys of purpose " + purpose.wireName() + " do not sign in a service.");
        }
        return signer;
    }

    /** The signer of the transparency log's checkpoints; its key is made at the first call. */
    public EventSigner logSigner(Instant now) {
        return safe.open(keys.active(Purpose.LOG)
                .orElseGet(() -> keys.storeFirst(safe.make(x -> SigningKey.active(x, Purpose.LOG, now)))));
    }

    /**
     * Ends the key of the transparency log and makes another one, for a log that takes its place.
     *
     * @return the id of the new key
     */
    public String replaceLogKey(Instant now) {
        SealedKey next = safe.make(x -> SigningKey.active(x, Purpose.LOG, now));
        List<StateChange> ended = keys.active(Purpose.LOG)
                .map(last -> List.of(new StateChange(last.key(), last.key().retired(now))))
                .orElseThrow(() -> new UnusableKeys("There is no transparency log.", null));
        if (!keys.replace(ended, next)) {
            throw new UnusableKeys("Another node is changing the signing keys; check them and try again.", null);
        }
        return next.key().kid();
    }

    /** The credentials of custodians, encrypted with the master key. */
    public CustodianCredentials custodianCredentials(SealedCredentials stored) {
        return new TinkCustodianCredentials(stored, safe);
    }

    /** Signs and encrypts push messages, on every node with the same key. */
    public WebPush webPush() {
        return WebPush.of(tokenDerivation());
    }

    /** Derives tokens with a secret that is encrypted with the master key; the first caller of all nodes makes it. */
    public TokenDerivation tokenDerivation() {
        byte[] sealed = keys.tokenSecret()
                .orElseGet(() -> keys.storeTokenSecret(active -> {
                    byte[] secret = new byte[SECRET_BYTES];
                    new SecureRandom().nextBytes(secret);
                    return safe.sealTokenSecret(active, secret);
                }));
        return new HmacTokens(new SecretKeySpec(safe.openTokenSecret(sealed), HMAC));
    }

    private record HmacTokens(SecretKeySpec secret) implements TokenDerivation {
        @Override
        public byte[] derive(String text) {
            try {
                Mac mac = Mac.getInstance(HMAC);
                mac.init(secret);
                return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            } catch (GeneralSecurityException absent) {
                throw new IllegalStateException("Every Java has " + HMAC + ".", absent);
            }
        }

        @Override
        public String toString() {
            return "HmacTokens[]";
        }
    }

    /** The name of the implementation of Ed25519 that Tink uses, for the log. */
    public static String implementation() {
        Provider conscrypt = Security.getProvider(CONSCRYPT);
        return conscrypt == null
                ? "Tink (pure Java; add conscrypt-openjdk-uber to the class path to sign four times faster)"
                : "Tink over Conscrypt " + conscrypt.getVersionStr();
    }

    /**
     * Registers Conscrypt, which signs four times as fast as pure Java, as the last provider, so that only Tink uses it. It
     * is absent if its jar is, or if it has no library for this machine.
     */
    static synchronized void registerConscrypt() {
        if (Security.getProvider(CONSCRYPT) != null) {
            return;
        }
        try {
            Security.addProvider((Provider) Class.forName("org.conscrypt.Conscrypt")
                    .getMethod("newProvider")
                    .invoke(null));
        } catch (ReflectiveOperationException | LinkageError absent) {
            LOG.debug("Conscrypt is not there.", absent);
        }
    }

    /** Signs until the JIT has compiled the code; otherwise each of the first rows would take a millisecond. */
    public void warmUp() {
        EventSigner signer = signer(Purpose.SANDBOX);
        for (int i = 0; i < WARM_UP_SIGNATURES; i++) {
            signer.sign("agent-policy/warm-up/v1\n" + i + "\n");
        }
    }

    /** Credentials that are in clear only while they are used: what is stored is encrypted with the master key. */
    record TinkCustodianCredentials(SealedCredentials stored, KeySafe safe) implements CustodianCredentials {
        private static final Logger LOG = LoggerFactory.getLogger(TinkCustodianCredentials.class);

        /** A node whose master key file is old says so in its log. No restart is needed after the file was replaced. */
        @Override
        public boolean store(UserId user, String custodian, long version, BrokerCredentials credentials) {
            try {
                return stored.store(
                        user,
                        custodian,
                        version,
                        credentials.environment(),
                        active -> safe.seal(active, user, custodian, credentials));
            } catch (UnusableKeys sealedByAnother) {
                LOG.error("No credentials of custodians can be stored: {}", sealedByAnother.getMessage());
                throw new Unavailable("The credentials of custodians cannot be stored now.", sealedByAnother);
            }
        }

        @Override
        public Optional<BrokerCredentials> find(UserId user, String custodian) {
            return stored.find(user, custodian).map(safe::open);
        }

        @Override
        public boolean delete(UserId user, String custodian, long version) {
            return stored.delete(user, custodian, version);
        }
    }
}
