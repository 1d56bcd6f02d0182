package dev.agentpolicy.domain.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the temporary folders of tests, and those of their databases, in memory, where a database does not wait for the disk.
 * Tests kill processes, not the machine, so they see no difference. Where there is little memory, folders are on the disk.
 */
public final class FoldersInMemory implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long LEAST_ROOM = 4L * 1024 * 1024 * 1024;

    /** A new folder. */
    public static Path create(String prefix) throws IOException {
        boolean hasRoom = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= LEAST_ROOM;
        return hasRoom ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return create("junit-");
    }
}
