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

    /** Starts a {@link QuickService}, or the command that is given. */
    public static ServiceProcess start(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        Class<?> program = arguments.length == 0 ? QuickService.class : Main.class;
        return start(List.of(), classes(), folder, environment, DEFAULT_HEAP, program, arguments);
    }

    /** Starts what a user starts. */
    public static ServiceProcess startMain(Path folder, Map<String, String> environment) throws IOException {
        return start(List.of(), classes(), folder, environment, DEFAULT_HEAP, Main.class);
    }

    /** Starts it with a heap option such as {@code -Xmx144m}. */
    static ServiceProcess withHeap(Path folder, Map<String, String> environment, String heap) throws IOException {
        return start(List.of(), classes(), folder, environment, heap, Main.class);
    }

    /** Starts it with other options than {@link ServiceClasses#options}. */
    static ServiceProcess with(List<String> classes, Path folder, Map<String, String> environment) throws IOException {
        return start(List.of(), classes, folder, environment, DEFAULT_HEAP, QuickService.class);
    }

    /** Starts it with a limit of open files and sockets. */
    static ServiceProcess startWithDescriptors(int descriptors, Path folder, Map<String, String> environment)
            throws IOException {
        return start(
                List.of("sh", "-c", "ulimit -n " + descriptors + "; exec \"$@\"", "service"),
                classes(),
                folder,
                environment,
                DEFAULT_HEAP,
                QuickService.class);
    }

    private static List<String> classes() throws IOException {
        try {
            return ServiceClasses.options();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static ServiceProcess start(
            List<String> shell,
            List<String> classes,
            Path folder,
            Map<String, String> environment,
            String heap,
            Class<?> program,
            String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(shell);
        command.addAll(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                heap,
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(classes);
        command.add(program.getName());
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
        return exitCode(MAX_SECONDS);
    }

    int exitCode(long maxSeconds) throws InterruptedException {
        if (!process.waitFor(maxSeconds, TimeUnit.SECONDS)) {
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
