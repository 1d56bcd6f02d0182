package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The master key file: a Tink AES256-GCM keyset that encrypts the signing keys and the credentials of custodians. Only
 * its owner may read the file.
 */
final class MasterKey {
    private static final Logger LOG = LoggerFactory.getLogger(MasterKey.class);

    private MasterKey() {}

    static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Writes a new master key unless the file exists. Of two concurrent calls, one writes the complete file. */
    static void create(Path file) {
        try {
            Path directory = OwnerOnlyFiles.createDirectories(parent(file));
            Path draft = OwnerOnlyFiles.createTemporary(directory, "master-key", ".new");
            try {
                String text = text(
                        KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get()));
                Files.writeString(draft, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
                OwnerOnlyFiles.publish(draft, file.toAbsolutePath());
            } catch (FileAlreadyExistsException another) {
                LOG.debug("Another process was faster.", another);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException | GeneralSecurityException failed) {
            throw new UnusableKeys(
                    "The master key file " + file + " could not be created; make its directory writable.", failed);
        }
    }

    /** Replaces the keyset of the file atomically: a reader finds the old or the new one, also after a crash. */
    static void replace(Path file, KeysetHandle keyset) {
        try {
            OwnerOnlyFiles.replace(file, text(keyset));
        } catch (IOException | GeneralSecurityException failed) {
            throw new UnusableKeys(
                    "The master key file " + file + " could not be written; make its directory writable.", failed);
        }
    }

    private static String text(KeysetHandle keyset) throws GeneralSecurityException {
        return TinkJsonProtoKeysetFormat.serializeKeyset(
                keyset, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
    }

    /** Reads the master key; refuses a file that other users may read. */
    static Aead read(Path file) {
        return aead(keyset(file), file);
    }

    /**
     * Reads the keyset of the file. It has two keys only while {@link MasterKeyRewrap} is running or after it was
     * interrupted: the primary key seals, and both keys open.
     */
    static KeysetHandle keyset(Path file) {
        String json = text(file);
        try {
            return TinkJsonProtoKeysetFormat.parseKeyset(
                    json, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
        } catch (GeneralSecurityException malformed) {
            throw damaged(file);
        }
    }

    /** The primitive that seals and opens with a keyset. */
    static Aead aead(KeysetHandle keyset, Path file) {
        try {
            return keyset.getPrimitive(RegistryConfiguration.get(), Aead.class);
        } catch (GeneralSecurityException malformed) {
            throw damaged(file);
        }
    }

    private static UnusableKeys damaged(Path file) {
        return new UnusableKeys(
                "The master key file " + file + " is damaged; restore it from a backup. Do not delete it: the"
                        + " signing keys in the database open with nothing else.",
                null);
    }

    /** Deletes the file of an old master key, if it exists. */
    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
            OwnerOnlyFiles.syncNames(parent(file));
        } catch (IOException failed) {
            throw new UnusableKeys("The file " + file + " could not be deleted; delete it by hand.", failed);
        }
    }

    private static String text(Path file) {
        try {
            if (OwnerOnlyFiles.isLoose(file)) {
                throw new UnusableKeys(
                        "The master key file " + file + " is open to others than its owner; run chmod 600 on it.",
                        null);
            }
            OwnerOnlyFiles.warnOfLoose(parent(file));
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UnusableKeys(
                    "The master key file " + file + " cannot be read; make it a file this user may read.", unreadable);
        }
    }

    private static Path parent(Path file) {
        Path whole = file.toAbsolutePath();
        Path parent = whole.getParent();
        return parent == null ? whole : parent;
    }
}
