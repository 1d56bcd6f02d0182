package dev.agentpolicy.adapter.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
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
 * Makes files and directories that nobody but their owner can read, whatever the umask is: files 0600, directories 0700.
 * Where the file system knows no POSIX permissions they are made as the system makes them.
 */
public final class OwnerOnlyFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnlyFiles.class);
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private static final Set<Path> WARNED_OF = ConcurrentHashMap.newKeySet();

    private OwnerOnlyFiles() {}

    /**
     * Makes a directory and those above it that are missing. One that is there stays as it is, and is named in the log
     * when others may look into it.
     */
    public static Path createDirectories(Path directory) throws IOException {
        Path whole = directory.toAbsolutePath().normalize();
        if (Files.isDirectory(whole)) {
            warnOfLoose(whole);
            return whole;
        }
        return Files.createDirectories(whole, attributes(nearest(whole), DIRECTORY));
    }

    /** Makes an empty file unless there is one. */
    public static void createIfAbsent(Path file) throws IOException {
        try {
            create(file);
        } catch (FileAlreadyExistsException present) {
            // Whoever made it has set its permissions, or restrict does.
        }
    }

    /**
     * Makes an empty file.
     *
     * @throws FileAlreadyExistsException when there is one
     */
    public static Path create(Path file) throws IOException {
        return Files.createFile(file, attributes(nearest(file.toAbsolutePath()), FILE));
    }

    /** Makes an empty file with a name that nothing has yet. */
    public static Path createTemporary(Path directory, String prefix, String suffix) throws IOException {
        return Files.createTempFile(directory, prefix, suffix, attributes(directory, FILE));
    }

    /** Makes a file new and empty, in place of the one that may be there. */
    public static Path recreate(Path file) throws IOException {
        Files.deleteIfExists(file);
        return create(file);
    }

    /** Takes a file away from everybody but its owner, if it is there and others have any right to it; says so in the log. */
    public static void restrict(Path file) {
        restrict(file, FILE);
    }

    /**
     * Takes a directory away from everybody but its owner when it has nothing in it that is not the service's own: then
     * the service made it, and an older version left it open. Any other one that others may look into is named in the log.
     *
     * @param isOurs whether a file in it is the service's own
     */
    public static void restrictDirectory(Path directory, Predicate<Path> isOurs) {
        if (isLoose(directory) && holdsOnly(directory, isOurs)) {
            restrict(directory, DIRECTORY);
        }
        warnOfLoose(directory);
    }

    /** Whether others than its owner have any right to a file or directory; false where there are no such rights. */
    public static boolean isLoose(Path path) {
        try {
            return isPosix(path) && !DIRECTORY.containsAll(Files.getPosixFilePermissions(path));
        } catch (IOException gone) {
            return false;
        }
    }

    /** Names a directory in the log if others may look into it, once in the life of a process. */
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

    /** Whether a path is there, on a file system that knows POSIX permissions. */
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
