package dev.agentpolicy.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a process has done so far.
 *
 * @param micros processor time of all its threads
 * @param switches times a thread of it gave up its processor or lost it
 */
record Effort(long micros, long switches) {
    private static final long MICROS_PER_TICK = 10_000;
    private static final int USER_TIME = 11;

    static Effort of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            String stat = Files.readString(process.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]);
            try (Stream<Path> threads = Files.list(process.resolve("task"))) {
                return new Effort(
                        ticks * MICROS_PER_TICK,
                        threads.mapToLong(Effort::switches).sum());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Effort since(Effort before) {
        return new Effort(micros - before.micros, switches - before.switches);
    }

    private static long switches(Path thread) {
        try {
            return Files.readAllLines(thread.resolve("status")).stream()
                    .filter(line -> line.contains("ctxt_switches"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (NoSuchFileException ended) {
            return 0;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
