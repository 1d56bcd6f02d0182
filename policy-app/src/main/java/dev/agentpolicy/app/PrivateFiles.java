package dev.agentpolicy.app;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files and directories that only the user of this process may read, where the file system knows such rights. */
final class PrivateFiles {
    private PrivateFiles() {}

    /** Makes an empty file with mode 0600 unless it is there. */
    static void create(Path file) throws IOException {
        try {
            Files.createFile(file, mode(file, "rw-------"));
        } catch (FileAlreadyExistsException there) {
            if (!Files.isRegularFile(file)) {
                throw there;
            }
        }
    }

    /** Makes a directory, and those above it, with mode 0700 unless it is there. */
    static void createDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, mode(directory, "rwx------"));
        }
    }

    private static FileAttribute<?>[] mode(Path file, String mode) throws IOException {
        Path above = file.toAbsolutePath().getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        boolean isPosix =
                above != null && Files.getFileStore(above).supportsFileAttributeView(PosixFileAttributeView.class);
        return isPosix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }
}
