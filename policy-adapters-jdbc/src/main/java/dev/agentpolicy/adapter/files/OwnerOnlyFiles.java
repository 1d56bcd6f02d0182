package dev.agentpolicy.adapter.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files with mode 0600 and directories with mode 0700, whatever the umask is. On file systems without POSIX
 * permissions they get the default permissions.
 */
public final class OwnerOnlyFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnlyFiles.class);
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private static final Set<Path> WARNED_OF = ConcurrentHashMap.newKeySet();

    private OwnerOnlyFiles() {}

    /**
     * Creates a directory and its missing parents. An existing directory is not changed; if it is open to other users, a
     * warning is logged.
     */
    public static Path createDirectories(Path directory) throws IOException {
        Path whole = directory.toAbsolutePath().normalize();
        if (Files.isDirectory(whole)) {
            warnOfLoose(whole);
            return whole;
        }
        return Files.createDirectories(whole, attributes(nearest(whole), DIRECTORY));
    }

    /** Creates an empty file unless it exists. */
    public static void createIfAbsent(Path file) throws IOException {
        try {
            create(file);
        } catch (FileAlreadyExistsException present) {
            // Its permissions were set when it was created, or restrict sets them.
        }
    }

    /**
     * Creates an empty file.
     *
     * @throws FileAlreadyExistsException when it exists
     */
    public static Path create(Path file) throws IOException {
        return Files.createFile(file, attributes(nearest(file.toAbsolutePath()), FILE));
    }

    /** Creates an empty file with a unique name. */
    public static Path createTemporary(Path directory, String prefix, String suffix) throws IOException {
        return Files.createTempFile(directory, prefix, suffix, attributes(directory, FILE));
    }

    /** Creates an empty file, replacing an existing one. */
    public static Path recreate(Path file) throws IOException {
        Files.deleteIfExists(file);
        return create(file);
    }

    /**
     * Gives a complete file its final name. Of two concurrent calls, one succeeds.
     *
     * @throws FileAlreadyExistsException when the name is taken
     */
    public static void publish(Path draft, Path file) throws IOException {
        try {
            // A link fails if the name is taken, and is atomic.
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException taken) {
            throw taken;
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            Files.move(draft, file);
        }
    }

    /** Replaces or makes a file atomically and durably: a reader finds the old or the new one, also after a crash. */
    public static void replace(Path file, String text) throws IOException {
        Path whole = file.toAbsolutePath();
        Path draft = recreate(whole.resolveSibling(whole.getFileName() + ".new"));
        try {
            Files.writeString(draft, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            Files.move(draft, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            syncNames(whole.resolveSibling("."));
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Makes renames in a directory durable, on file systems that support it. */
    public static void syncNames(Path directory) throws IOException {
        if (isPosix(directory)) {
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }

    /** Removes the permissions of other users from a file, and logs that. Does nothing if the file does not exist. */
    public static void restrict(Path file) {
        restrict(file, FILE);
    }

    /**
     * Removes the permissions of other users from a directory that contains only files of the service, because then it
     * belongs to the service. For any other directory that is open to other users, a warning is logged.
     *
     * @param isOurs whether a file belongs to the service
     */
    public static void restrictDirectory(Path directory, Predicate<Path> isOurs) {
        if (isLoose(directory) && holdsOnly(directory, isOurs)) {
            restrict(directory, DIRECTORY);
        }
        warnOfLoose(directory);
    }

    /** Whether users other than the owner have any permission on a path; false without POSIX permissions. */
    public static boolean isLoose(Path path) {
        try {
            return isPosix(path) && !DIRECTORY.containsAll(Files.getPosixFilePermissions(path));
        } catch (IOException gone) {
            return false;
        }
    }

    /** Logs a warning if a directory is open to other users, once for each directory and process. */
    public static void warnOfLoose(Path directory) {
        if (isLoose(directory) && WARNED_OF.add(directory.toAbsolutePath().normalize())) {
            LOG.warn("The directory {} is open to other users of this machine; run chmod 700 on it", directory);
        }
    }

    private static void restrict(Path path, Set<PosixFilePermission> most) {
        if (!isLoose(path)) {
            return;
        }
        try {
            Set<PosixFilePermission> kept = EnumSet.copyOf(most);
            kept.retainAll(Files.getPosixFilePermissions(path));
            Files.setPosixFilePermissions(path, kept);
            LOG.info("{} was open to other users of this machine and no longer is", path);
        } catch (IOException | UnsupportedOperationException refused) {
            LOG.warn(
                    "{} is open to other users of this machine, and closing it failed; run chmod go= on it",
                    path,
                    refused);
        }
    }

    private static boolean holdsOnly(Path directory, Predicate<Path> isOurs) {
        try (Stream<Path> files = Files.list(directory)) {
            return !Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)
                    && files.allMatch(isOurs);
        } catch (IOException | UncheckedIOException unreadable) {
            return false;
        }
    }

    private static FileAttribute<?>[] attributes(Path near, Set<PosixFilePermission> permissions) {
        return isPosix(near)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Whether a path exists on a file system with POSIX permissions. */
    public static boolean isPosix(Path path) {
        try {
            return Files.exists(path) && Files.getFileStore(path).supportsFileAttributeView("posix");
        } catch (IOException unknown) {
            return false;
        }
    }

    private static Path nearest(Path path) {
        Path near = path;
        while (near.getParent() != null && !Files.exists(near, LinkOption.NOFOLLOW_LINKS)) {
            near = near.getParent();
        }
        return near;
    }
}
