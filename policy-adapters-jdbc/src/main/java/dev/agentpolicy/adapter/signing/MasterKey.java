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

/** The file with the key that seals the signing keys: a Tink AES256-GCM keyset that only its owner may read. */
final class MasterKey {
    private MasterKey() {}

    static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Writes a new master key unless there is one; of two who do so at once, one key stands, and it is whole. */
    static void create(Path file) {
        Path whole = file.toAbsolutePath();
        try {
            Path directory = OwnerOnlyFiles.createDirectories(parent(whole));
            Path draft = OwnerOnlyFiles.createTemporary(directory, "master-key", ".new");
            try {
                Files.writeString(draft, newKeyset(), StandardOpenOption.WRITE, StandardOpenOption.SYNC);
                publish(draft, whole);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException | GeneralSecurityException failed) {
            throw new UnusableKeys(
                    "The master key file " + file + " could not be created; make its directory writable.", failed);
        }
    }

    /** Reads the master key; refuses a file that others may read. */
    static Aead read(Path file) {
        String json = text(file);
        try {
            return TinkJsonProtoKeysetFormat.parseKeyset(
                            json, RegistryConfiguration.get(), InsecureSecretKeyAccess.get())
                    .getPrimitive(RegistryConfiguration.get(), Aead.class);
        } catch (GeneralSecurityException malformed) {
            throw new UnusableKeys(
                    "The master key file " + file + " is damaged; restore it from a backup. Do not delete it: the"
                            + " signing keys in the database open with nothing else.",
                    null);
        }
    }

    private static String text(Path file) {
        try {
            if (OwnerOnlyFiles.isLoose(file)) {
                throw new UnusableKeys(
                        "The master key file " + file + " is open to others than its owner; run chmod 600 on it.",
                        null);
            }
            OwnerOnlyFiles.warnOfLoose(parent(file.toAbsolutePath()));
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UnusableKeys(
                    "The master key file " + file + " cannot be read; make it a file this user may read.", unreadable);
        }
    }

    private static String newKeyset() throws GeneralSecurityException {
        return TinkJsonProtoKeysetFormat.serializeKeyset(
                KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get()),
                RegistryConfiguration.get(),
                InsecureSecretKeyAccess.get());
    }

    /** Gives the finished draft its name, which must be free: a link either appears whole or not at all. */
    private static void publish(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException another) {
            return;
        } catch (UnsupportedOperationException noLinks) {
            Files.move(draft, file);
        }
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }
}
