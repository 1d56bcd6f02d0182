package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.agentpolicy.domain.port.SealedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.function.Consumer;

/**
 * Replaces the master key and seals everything anew with the new one (docs/operations.md, A new master key).
 *
 * <p>While the database changes, the file holds both keys, so that it opens everything whether the transaction was
 * committed or not. A run that was interrupted is finished by the next one, with the key that it made.
 */
public final class MasterKeyRewrap {
    /** What was done last; after each of these the process may end, and nothing is lost. */
    enum Step {
        OLD_FILE_KEPT,
        FILE_HOLDS_BOTH,
        SEALED_ANEW,
        FILE_HOLDS_NEW,
        OLD_FILE_REMOVED
    }

    private final Path file;
    private final Path oldFile;
    private final SealedKeys keys;
    private final Consumer<Step> observer;

    MasterKeyRewrap(Path file, SealedKeys keys, Consumer<Step> observer) {
        this.file = real(file);
        this.oldFile = oldFile(this.file);
        this.keys = keys;
        this.observer = observer;
    }

    /**
     * Replaces the master key.
     *
     * @param masterKeyFile what everything is sealed with now
     * @param keys what is sealed
     * @return how many keys were sealed anew
     * @throws UnusableKeys when the file does not open everything, or cannot be written; the message says what to do
     */
    public static int run(Path masterKeyFile, SealedKeys keys) {
        return new MasterKeyRewrap(masterKeyFile, keys, step -> {}).run();
    }

    /** Where the old master key is kept until everything is sealed with the new one. */
    static Path oldFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".old");
    }

    int run() {
        KeyRing.register();
        KeysetHandle present = MasterKey.keyset(file);
        requireOpensAll(present);
        KeysetHandle both = present.size() > 1 ? present : withNewKey(present);
        int sealed = keys.reseal(KeySafe.of(file, both)::seal);
        observer.accept(Step.SEALED_ANEW);

        KeysetHandle fresh = primaryOnly(both);
        requireOpensAll(fresh);
        MasterKey.replace(file, fresh);
        observer.accept(Step.FILE_HOLDS_NEW);
        MasterKey.delete(oldFile);
        observer.accept(Step.OLD_FILE_REMOVED);
        return sealed;
    }

    private KeysetHandle withNewKey(KeysetHandle present) {
        MasterKey.replace(oldFile, present);
        observer.accept(Step.OLD_FILE_KEPT);
        KeysetHandle both = extended(present);
        MasterKey.replace(file, both);
        observer.accept(Step.FILE_HOLDS_BOTH);
        return both;
    }

    private void requireOpensAll(KeysetHandle keyset) {
        KeySafe safe = KeySafe.of(file, keyset);
        keys.all().stream().flatMap(key -> keys.find(key.kid()).stream()).forEach(safe::open);
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
            throw new UnusableKeys("The new master key could not be taken out of its keyset; see the cause.", failed);
        }
    }

    /** Past links, which would otherwise be replaced by a file. */
    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException missing) {
            throw new UnusableKeys(
                    "The master key file " + file + " cannot be read; make it a file this user may read.", missing);
        }
    }
}
