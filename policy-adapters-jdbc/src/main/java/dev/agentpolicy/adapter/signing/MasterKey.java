package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.EnumSet;
import java.util.Set;

/** The file with the key that seals the signing keys: a Tink AES256-GCM keyset that only its owner may read. */
final class MasterKey {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final Set<PosixFilePermission> OWNER_ONLY_DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FOR_OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private MasterKey() {}

    static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Writes a new master key unless there is one; of two who do so at once, one key stands, and it is whole. */
    static void create(Path file) {
        Path whole = file.toAbsolutePath();
        try {
            Path directory = Files.createDirectories(parent(whole), permissions(nearest(whole), OWNER_ONLY_DIRECTORY));
            Path draft = Files.createTempFile(directory, "master-key", ".new", permissions(directory, OWNER_ONLY));
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
            if (isPosix(file)) {
                Set<PosixFilePermission> granted = EnumSet.copyOf(Files.getPosixFilePermissions(file));
                granted.retainAll(FOR_OTHERS);
                if (!granted.isEmpty()) {
                    throw new UnusableKeys(
                            "The master key file " + file + " is open to others than its owner; run chmod 600 on it.",
                            null);
                }
            }
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

    private static FileAttribute<?>[] permissions(Path near, Set<PosixFilePermission> permissions) throws IOException {
        return isPosix(near)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class);
    }

    private static Path nearest(Path file) {
        Path directory = parent(file);
        while (!Files.exists(directory)) {
            directory = parent(directory);
        }
        return directory;
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }
}
