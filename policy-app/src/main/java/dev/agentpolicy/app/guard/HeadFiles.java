package dev.agentpolicy.app.guard;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The head files of a state directory (docs/reference/events.md, Recorded heads). Each is named after an installation and
 * has a number, because several nodes may share the directory; a lock beside a file shows that a node is using it.
 *
 * @param directory POLICY_STATE_DIR
 */
record HeadFiles(Path directory) {
    private static final Logger LOG = LoggerFactory.getLogger(HeadFiles.class);
    private static final Pattern NAME = Pattern.compile("heads-([0-9a-f-]{36})-(\\d{1,9})\\.log");
    private static final Pattern RECORD = Pattern.compile("((\\S+) (\\d+) ([0-9a-f]{64}) (\\S+)) ([0-9a-f]{8})");
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

    /**
     * Hands over every record that is good.
     *
     * @return how many lines are damaged; a last one that was torn off is not counted
     */
    static int each(Path path, Consumer<ChainHead> taker) throws IOException {
        int damaged = 0;
        boolean wasDamaged = false;
        try (BufferedReader lines = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                damaged += wasDamaged ? 1 : 0;
                ChainHead head = head(line);
                wasDamaged = head == null;
                if (head != null) {
                    taker.accept(head);
                }
            }
        }
        return damaged;
    }

    /** A head as one line, with its end: user, seq, hash, time and a checksum of these, separated by blanks. */
    static String line(ChainHead head) {
        String content =
                head.userId().value() + " " + head.seq() + " " + head.hash() + " " + Instants.format(head.createdAt());
        return content + " " + checksum(content) + "\n";
    }

    /** The head of a line without its end; null when the line is torn or damaged. */
    static @Nullable ChainHead head(String line) {
        Matcher record = RECORD.matcher(line);
        if (!record.matches() || !record.group(6).equals(checksum(record.group(1)))) {
            return null;
        }
        Instant createdAt = Instants.parse(record.group(5));
        try {
            UserId user = new UserId(UUID.fromString(record.group(2)));
            return createdAt == null
                    ? null
                    : new ChainHead(user, Long.parseLong(record.group(3)), record.group(4), createdAt);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static String checksum(String content) {
        CRC32C checksum = new CRC32C();
        checksum.update(content.getBytes(StandardCharsets.ISO_8859_1));
        return HexFormat.of().toHexDigits((int) checksum.getValue());
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
