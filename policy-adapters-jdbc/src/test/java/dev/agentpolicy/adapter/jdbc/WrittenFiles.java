package dev.agentpolicy.adapter.jdbc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.List;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** Files of H2, {@code written:path}, that remember what was done to them and in which order; H2 makes them. */
public final class WrittenFiles extends FilePathWrapper {
    static final String SCHEME = "written";
    private static final List<Write> WRITES = new ArrayList<>();

    static void register() {
        FilePath.register(new WrittenFiles());
    }

    /** Forgets everything before. */
    static void begin() {
        synchronized (WRITES) {
            WRITES.clear();
        }
    }

    /** How much was done until now. */
    static int count() {
        synchronized (WRITES) {
            return WRITES.size();
        }
    }

    static List<Write> all() {
        synchronized (WRITES) {
            return List.copyOf(WRITES);
        }
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        FileChannel base = getBase().open(mode);
        return name.endsWith(".mv.db") ? new Remembering(base) : base;
    }

    /** Something done to a file: bytes put at a place, or everything after a place cut off. */
    record Write(long position, byte[] bytes, boolean isCut) {}

    /** Writes like the one it wraps; nothing is forced, as a process that is killed leaves the machine running. */
    private static final class Remembering extends FileBase {
        private final FileChannel base;

        Remembering(FileChannel base) {
            this.base = base;
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            byte[] bytes = new byte[from.remaining()];
            from.duplicate().get(bytes);
            synchronized (WRITES) {
                WRITES.add(new Write(position, bytes, false));
                int written = base.write(from, position);
                if (written != bytes.length) {
                    throw new IOException("The file took " + written + " bytes of " + bytes.length + ".");
                }
                return written;
            }
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            synchronized (WRITES) {
                WRITES.add(new Write(size, new byte[0], true));
                base.truncate(size);
            }
            return this;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int written = write(from, base.position());
            base.position(base.position() + written);
            return written;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return base.read(into);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return base.read(into, position);
        }

        @Override
        public long position() throws IOException {
            return base.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            base.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return base.size();
        }

        @Override
        public void force(boolean withMetadata) {}

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return base.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            base.close();
        }
    }
}
