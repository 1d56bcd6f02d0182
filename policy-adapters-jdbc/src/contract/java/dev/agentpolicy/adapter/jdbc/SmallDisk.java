package dev.agentpolicy.adapter.jdbc;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** A file system of a few megabytes that a test can fill and empty. Needs Linux and root. */
public final class SmallDisk implements AutoCloseable {
    private static final long MAX_SECONDS = 10;
    private static final int CHUNK = 4_096;

    private final Path root;

    private SmallDisk(Path root) {
        this.root = root;
    }

    /**
     * Mounts a file system on a directory.
     *
     * @throws TestAbortedException where mounting is not permitted, so that the test is skipped; also prints this on stderr
     */
    public static SmallDisk mount(Path directory, int megabytes) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        String failure = run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory.toString());
        if (!failure.isEmpty()) {
            System.err.println("SKIPPED, nothing is tested on a full disk: a tmpfs cannot be mounted here: " + failure);
            throw new TestAbortedException("A tmpfs cannot be mounted here: " + failure);
        }
        return new SmallDisk(directory);
    }

    public Path root() {
        return root;
    }

    public long free() throws IOException {
        return Files.getFileStore(root).getUsableSpace();
    }

    /** Fills the disk until this many bytes are free, rounded to a page. */
    public void fillUpTo(long bytes) throws IOException {
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(filler())) {
            for (long left = free() - bytes; left >= CHUNK; left -= CHUNK) {
                out.write(chunk);
            }
        }
    }

    /** Removes what {@link #fillUpTo} wrote. */
    public void makeRoom() throws IOException {
        Files.deleteIfExists(filler());
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", "-l", root.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Path filler() {
        return root.resolve("filler");
    }

    /** The error output of a command; empty when it succeeded. */
    private static String run(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes());
            boolean isDone = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
            return isDone && process.exitValue() == 0 ? "" : "failed: " + said.strip();
        } catch (IOException noSuchCommand) {
            return noSuchCommand.getMessage();
        }
    }
}
