package dev.agentpolicy.app.guard;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The head files of a state directory. Each is named after an installation and has a number, because
 * several nodes may share the directory; a lock beside a file shows that a node is using it.
 *
 * @param directory POLICY_STATE_DIR
 */
record HeadFiles(Path directory) {
    private static final Logger LOG = LoggerFactory.getLogger(HeadFiles.class);
    private static final Pattern NAME = Pattern.compile("heads-([0-9a-f-]{36})-(\\d{1,9})\\.log");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int MAX_NODES = 1_000;

    /**
     * A file of the directory.
     *
     * @param path where it is
     * @param installation the installation whose chains it holds
     */
    record Found(Path path, UUID installation) {}

    /** A file that this node alone appends to, until the lock is closed. */
    record Claimed(Path path, FileChannel lock) {}

    /** All head files, in the order of their names; none when there is no such directory. */
    List<Found> all() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted()
                    .map(HeadFiles::found)
                    .flatMap(Stream::ofNullable)
                    .toList();
        }
    }

    private static @Nullable Found found(Path path) {
        Matcher name = NAME.matcher(path.getFileName().toString());
        try {
            return name.matches() && Files.isRegularFile(path) ? new Found(path, UUID.fromString(name.group(1))) : null;
        } catch (IllegalArgumentException notAnId) {
            return null;
        }
    }

    /** The first file of an installation that no other node has; it need not be there yet. */
    Claimed claim(UUID installation) throws IOException {
        OwnerOnlyFiles.createDirectories(directory);
        for (int number = 1; number <= MAX_NODES; number++) {
            Path path = directory.resolve("heads-" + installation + "-" + number + ".log");
            FileChannel lock = lock(path);
            if (lock != null) {
                return new Claimed(path, lock);
            }
        }
        throw new IOException("Too many nodes share the directory " + directory + ".");
    }

    /** Gives a file a name under which it is not compared any more. One that a running node has stays where it is. */
    void setAside(Found file, Instant now) throws IOException {
        try (FileChannel lock = lock(file.path())) {
            if (lock == null) {
                LOG.warn("Another node has {}; stop it, and start it again with the same override", file.path());
                return;
            }
            Path aside = file.path().resolveSibling(file.path().getFileName() + "." + STAMP.format(now) + ".aside");
            Files.move(file.path(), aside);
            LOG.warn("The records of heads in {} are set aside as {}", file.path(), aside.getFileName());
        }
    }

    /** The open lock of a file; null while another node has it. */
    private static @Nullable FileChannel lock(Path path) throws IOException {
        Path file = path.resolveSibling(path.getFileName() + ".lock");
        OwnerOnlyFiles.createIfAbsent(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException anotherNodeOfThisProcess) {
            LOG.debug("{} belongs to another node of this process", path);
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        return lock == null ? null : channel;
    }
}
