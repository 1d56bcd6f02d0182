package dev.agentpolicy.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, from its first line to its end. */
final class Program implements AutoCloseable {
    private static final String LISTENING = "Listening on ";

    private final Process process;
    private final String address;
    private final double readyMillis;

    private Program(Process process, String address, double readyMillis) {
        this.process = process;
        this.address = address;
        this.readyMillis = readyMillis;
    }

    /** Starts it and waits for the line that says where it listens. */
    static Program start(Path folder, List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("servers.log").toFile()));
            builder.environment().putAll(environment);
            long begun = System.nanoTime();
            Process process = builder.start();
            String line = process.inputReader().readLine();
            double millis = (System.nanoTime() - begun) / 1e6;
            if (line == null || !line.startsWith(LISTENING)) {
                throw new IllegalStateException("The server did not start; see " + folder.resolve("servers.log"));
            }
            return new Program(process, line.substring(LISTENING.length()), millis);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** {@code http://host:port}. */
    String address() {
        return address;
    }

    /** From the start of the process to the line that it listens, which is when it is ready. */
    double readyMillis() {
        return readyMillis;
    }

    /** Its resident memory in MB, now or, with {@code VmHWM}, at most. */
    long memory(String which) {
        try {
            return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                    .filter(line -> line.startsWith(which + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
