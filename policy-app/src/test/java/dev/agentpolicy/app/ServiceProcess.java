package dev.agentpolicy.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the service in its own process, from the classes of this build. */
public final class ServiceProcess implements AutoCloseable {
    private static final String DEFAULT_HEAP = "-Xmx256m";

    private static final String LISTENING = "Listening on ";
    private static final long MAX_SECONDS = 60;

    private final Process process;
    private final BufferedReader out;
    private final Path err;

    private ServiceProcess(Process process, Path err) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.err = err;
    }

    public static ServiceProcess start(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        return start(List.of(), folder, environment, DEFAULT_HEAP, arguments);
    }

    /** Starts it with a heap option such as {@code -Xmx144m}. */
    static ServiceProcess withHeap(Path folder, Map<String, String> environment, String heap) throws IOException {
        return start(List.of(), folder, environment, heap);
    }

    /** Starts it with a limit of open files and sockets. */
    static ServiceProcess startWithDescriptors(int descriptors, Path folder, Map<String, String> environment)
            throws IOException {
        return start(
                List.of("sh", "-c", "ulimit -n " + descriptors + "; exec \"$@\"", "service"),
                folder,
                environment,
                DEFAULT_HEAP);
    }

    private static ServiceProcess start(
            List<String> shell, Path folder, Map<String, String> environment, String heap, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(shell);
        command.addAll(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                heap,
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Path err = Files.createTempFile(folder, "service", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("POLICY_") || name.startsWith("JAVA_TOOL"));
        builder.environment().putAll(environment);
        return new ServiceProcess(builder.start(), err);
    }

    /** Waits until it listens, which must be its first line, and returns its address. */
    public String address() throws IOException {
        String first = line();
        if (!first.startsWith(LISTENING)) {
            throw new AssertionError("Said first: " + first + "\n" + err());
        }
        return first.substring(LISTENING.length());
    }

    /** The next line on stdout; null at its end. */
    String line() throws IOException {
        String line = out.readLine();
        if (line == null && err().isEmpty()) {
            throw new AssertionError("The service ended without a word.");
        }
        return String.valueOf(line);
    }

    public String err() throws IOException {
        return Files.readString(err);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** SIGKILL: no hook runs, nothing is flushed. */
    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /** SIGTERM. */
    public void terminate() {
        process.toHandle().destroy();
    }

    public int exitCode() throws InterruptedException {
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("Still running.");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
