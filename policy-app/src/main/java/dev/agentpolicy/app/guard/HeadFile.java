package dev.agentpolicy.app.guard;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A file of {@link HeadRecord}s, to which one node appends. Damaged records are ignored. Of each chain the record with the
 * highest seq counts. Used by one thread.
 */
final class HeadFile implements Closeable {
    private static final int MAX_APPENDED_AT_ONCE = 1_000;
    private static final int MAX_BUCKETS = 64;

    private final Path path;
    private final Closeable lock;
    private final long bucketBytes;
    private FileChannel channel;
    private long size;
    private long compactAt;

    private HeadFile(Path path, Closeable lock, long bucketBytes) throws IOException {
        this.path = path;
        this.lock = lock;
        this.bucketBytes = bucketBytes;
        this.channel = open(path);
        this.size = endOfLastLine();
        this.compactAt = bucketBytes;
    }

    /**
     * Opens a file to append to, and makes it when it is not there; what follows its last whole line is cut off.
     *
     * @param lock prevents other writers; closed with the file
     * @param bucketBytes from what size on the file is compacted, and how much of it is in memory meanwhile
     */
    static HeadFile open(Path path, Closeable lock, long bucketBytes) throws IOException {
        try {
            return new HeadFile(path, lock, bucketBytes);
        } catch (IOException failed) {
            lock.close();
            throw failed;
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
                ChainHead head = HeadRecord.read(line);
                wasDamaged = head == null;
                if (head != null) {
                    taker.accept(head);
                }
            }
        }
        return damaged;
    }

    /** Appends records. When that fails, those of before are as they were, and the next ones take the place of these. */
    void append(List<ChainHead> heads) throws IOException {
        for (int from = 0; from < heads.size(); from += MAX_APPENDED_AT_ONCE) {
            write(heads.subList(from, Math.min(heads.size(), from + MAX_APPENDED_AT_ONCE)));
        }
    }

    private void write(Collection<ChainHead> heads) throws IOException {
        StringBuilder lines = new StringBuilder();
        heads.forEach(head -> lines.append(HeadRecord.line(head)));
        ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.ISO_8859_1));
        long end = size;
        while (bytes.hasRemaining()) {
            end += channel.write(bytes, end);
        }
        size = end;
    }

    /** Syncs the appended records to the disk. */
    void force() throws IOException {
        channel.force(false);
    }

    /** Whether the file has doubled since it was compacted. */
    boolean isToBeCompacted() {
        return size > compactAt;
    }

    /**
     * Leaves one record of each chain. The new file takes the place of the old one when it is whole and synced. Large files
     * are sorted into buckets of users first, so that only one bucket is in memory.
     */
    void compact() throws IOException {
        compactAt = 2 * size;
        Path compacted = path.resolveSibling(path.getFileName() + ".new");
        List<Path> buckets = buckets();
        try {
            try (BufferedWriter out = writer(compacted)) {
                for (Path bucket : buckets) {
                    writeNewest(bucket, out);
                }
            }
            FileChannel next = FileChannel.open(compacted, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                next.force(true);
                Files.move(compacted, path, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException | RuntimeException failed) {
                next.close();
                throw failed;
            }
            channel.close();
            channel = next;
            size = channel.size();
            compactAt = Math.max(bucketBytes, 2 * size);
        } finally {
            Files.deleteIfExists(compacted);
            remove(buckets);
        }
    }

    private static void writeNewest(Path bucket, BufferedWriter out) throws IOException {
        Map<UserId, ChainHead> newest = new HashMap<>();
        each(bucket, head -> newest.merge(head.userId(), head, HeadFile::later));
        for (ChainHead head : newest.values()) {
            out.write(HeadRecord.line(head));
        }
    }

    /** The one of two heads of a chain that is further on. */
    static ChainHead later(ChainHead one, ChainHead other) {
        return one.seq() > other.seq() ? one : other;
    }

    /** The file itself, or files with the records of some of the users each. */
    private List<Path> buckets() throws IOException {
        int count = Math.toIntExact(Math.min(MAX_BUCKETS, size / bucketBytes + 1));
        if (count == 1) {
            return List.of(path);
        }
        List<Path> buckets = new ArrayList<>();
        List<BufferedWriter> writers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Path bucket = path.resolveSibling(path.getFileName() + ".part" + i);
                buckets.add(bucket);
                writers.add(writer(bucket));
            }
            each(path, head -> write(writers.get(Math.floorMod(head.userId().hashCode(), count)), head));
        } catch (IOException | UncheckedIOException failed) {
            writers.forEach(HeadFile::closeQuietly);
            remove(buckets);
            throw failed instanceof UncheckedIOException unchecked ? unchecked.getCause() : (IOException) failed;
        }
        for (BufferedWriter writer : writers) {
            writer.close();
        }
        return buckets;
    }

    private static void write(BufferedWriter out, ChainHead head) {
        try {
            out.write(HeadRecord.line(head));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException alreadyFailing) {
            // What made it fail is thrown.
        }
    }

    private void remove(List<Path> buckets) throws IOException {
        for (Path bucket : buckets) {
            if (!bucket.equals(path)) {
                Files.deleteIfExists(bucket);
            }
        }
    }

    private static BufferedWriter writer(Path path) throws IOException {
        Files.deleteIfExists(path);
        OwnerOnlyFiles.createIfAbsent(path);
        return Files.newBufferedWriter(path, StandardCharsets.ISO_8859_1, StandardOpenOption.WRITE);
    }

    private static FileChannel open(Path path) throws IOException {
        OwnerOnlyFiles.createIfAbsent(path);
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Overwrites an incomplete last line with the next record. */
    private long endOfLastLine() throws IOException {
        long end = channel.size();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (end > 0 && channel.read(one.clear(), end - 1) == 1 && one.get(0) != '\n') {
            end--;
        }
        channel.truncate(end);
        return end;
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            lock.close();
        }
    }
}
