package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.WrittenFiles.Write;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A file as it was in the middle of its life. */
final class FileImage {
    /** What the kernel writes as a whole, or, when the writer is killed, not at all. */
    private static final int MEMORY_PAGE = 4_096;

    private byte[] bytes;
    private int size;

    FileImage() {
        this(new byte[1 << 20], 0);
    }

    private FileImage(byte[] bytes, int size) {
        this.bytes = bytes;
        this.size = size;
    }

    FileImage copy() {
        return new FileImage(bytes.clone(), size);
    }

    void apply(Write write) {
        if (write.isCut()) {
            int kept = Math.toIntExact(Math.min(size, write.position()));
            Arrays.fill(bytes, kept, size, (byte) 0);
            size = kept;
        } else {
            put(write, write.bytes().length);
        }
    }

    /** A write whose process was killed in the middle of it; nothing of one that is too short for that. */
    void applyHalf(Write write) {
        int pages = write.bytes().length / MEMORY_PAGE;
        if (pages > 1) {
            put(write, pages / 2 * MEMORY_PAGE - (int) (write.position() % MEMORY_PAGE));
        }
    }

    private void put(Write write, int length) {
        int from = Math.toIntExact(write.position());
        int end = from + length;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        System.arraycopy(write.bytes(), 0, bytes, from, length);
        size = Math.max(size, end);
    }

    void store(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(bytes, 0, size);
        }
    }
}
