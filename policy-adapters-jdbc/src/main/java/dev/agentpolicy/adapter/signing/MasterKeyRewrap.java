package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.agentpolicy.domain.port.SealedCredentials;
import dev.agentpolicy.domain.port.SealedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.function.Consumer;

/**
 * Replaces the master key and seals all signing keys, the secret of tokens and credentials of custodians with the new one (docs/operations.md,
 * A new master key).
 *
 * <p>While the database changes, the file holds both keys, so it opens everything whether a transaction was committed or
 * not. The signing keys come first: nobody stores credentials sealed with another master key than theirs. After an
 * interruption, the next run finishes the work with the key of the interrupted run.
 */
public final class MasterKeyRewrap {
    /** The steps in order. The process may end after any of them, and nothing is lost. */
    enum RewrapStep {
        OLD_FILE_KEPT,
        FILE_HOLDS_BOTH,
        SEALED_ANEW,
        CREDENTIALS_SEALED_ANEW,
        FILE_HOLDS_NEW,
        OLD_FILE_REMOVED
    }

    private final Path file;
    private final Path oldFile;
    private final SealedKeys keys;
    private final SealedCredentials credentials;
    private final Consumer<RewrapStep> observer;

    MasterKeyRewrap(Path file, SealedKeys keys, SealedCredentials credentials, Consumer<RewrapStep> observer) {
        this.file = real(file);
        this.oldFile = oldFile(this.file);
        this.keys = keys;
        this.credentials = credentials;
        this.observer = observer;
    }

    /**
     * Replaces the master key.
     *
     * @param masterKeyFile the file of the current master key
     * @param keys the sealed keys
     * @param credentials the sealed credentials of custodians
     * @return what was sealed with the new master key
     * @throws UnusableKeys when the file does not open all of them, or cannot be written; the message says what to do
     */
    public static Rewrapped run(Path masterKeyFile, SealedKeys keys, SealedCredentials credentials) {
        return new MasterKeyRewrap(masterKeyFile, keys, credentials, step -> {}).run();
    }

    /** How many signing keys, and the credentials of how many custodians, were sealed anew. */
    public record Rewrapped(int signingKeys, int custodians) {}

    /** The file that keeps the old master key until every key is sealed with the new one. */
    static Path oldFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".old");
    }

    Rewrapped run() {
        KeyRing.register();
        KeysetHandle present = MasterKey.keyset(file);
        requireOpensAll(present);
        KeysetHandle both = present.size() > 1 ? present : withNewKey(present);
        KeySafe safe = KeySafe.of(file, both);
        int sealed = keys.reseal(safe::seal);
        keys.resealTokenSecret(safe::resealTokenSecret);
        observer.accept(RewrapStep.SEALED_ANEW);
        int custodians = credentials.reseal(safe::seal);
        observer.accept(RewrapStep.CREDENTIALS_SEALED_ANEW);

        KeysetHandle fresh = primaryOnly(both);
        requireOpensAll(fresh);
        MasterKey.replace(file, fresh);
        observer.accept(RewrapStep.FILE_HOLDS_NEW);
        MasterKey.delete(oldFile);
        observer.accept(RewrapStep.OLD_FILE_REMOVED);
        return new Rewrapped(sealed, custodians);
    }

    private KeysetHandle withNewKey(KeysetHandle present) {
        MasterKey.replace(oldFile, present);
        observer.accept(RewrapStep.OLD_FILE_KEPT);
        KeysetHandle both = extended(present);
        MasterKey.replace(file, both);
        observer.accept(RewrapStep.FILE_HOLDS_BOTH);
        return both;
    }

    private void requireOpensAll(KeysetHandle keyset) {
        KeySafe safe = KeySafe.of(file, keyset);
        keys.all().stream().flatMap(key -> keys.find(key.kid()).stream()).forEach(safe::open);
        keys.tokenSecret().ifPresent(safe::openTokenSecret);
        credentials.all().forEach(safe::open);
    }

    private static KeysetHandle extended(KeysetHandle present) {
        try {
            return KeysetHandle.newBuilder(present)
                    .addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                            .withRandomId()
                            .makePrimary())
                    .build();
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("No master key could be made; see the cause.", failed);
        }
    }

    private static KeysetHandle primaryOnly(KeysetHandle both) {
        KeysetHandle.Entry primary = both.getPrimary();
        try {
            return KeysetHandle.newBuilder()
                    .addEntry(KeysetHandle.importKey(primary.getKey())
                            .withFixedId(primary.getId())
                            .makePrimary())
                    .build();
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("The new master key could not be extracted from its keyset; see the cause.", failed);
        }
    }

    /** Follows links: otherwise the new file would replace the link. */
    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException missing) {
            throw new UnusableKeys(
                    "The master key file " + file + " cannot be read; make it a file this user may read.", missing);
        }
    }
}
