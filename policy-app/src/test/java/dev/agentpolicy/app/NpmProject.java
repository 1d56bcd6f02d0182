package dev.agentpolicy.app;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A package of the tests that npm installs and runs. It works in a copy under target that is as deep as its sources, so
 * that the same paths lead to the documentation, and that is kept, so that npm has less to fetch the next time.
 */
public final class NpmProject {
    private static final int MIN_NODE = 18;
    private static final long MAX_SECONDS = 600;

    private final Path copy;

    private NpmProject(Path copy) {
        this.copy = copy;
    }

    /**
     * What a program printed, and how it ended.
     *
     * @param exitCode -1 if it did not end in time
     */
    public record Result(int exitCode, String text) {}

    /**
     * Installs a package.
     *
     * @param name name of its folder in src/test
     * @param purpose what is not checked when there is no npm, for the message
     * @throws org.opentest4j.TestAbortedException if there is no npm, or it cannot fetch what the package needs
     */
    public static NpmProject install(String name, String purpose) throws IOException, InterruptedException {
        NpmProject project = new NpmProject(Files.createDirectories(Path.of("target/" + name + "/copy")));
        if (!Shell.has("npm") || project.nodeVersion() < MIN_NODE) {
            missing(purpose, "no npm with Node.js " + MIN_NODE + " or later was found. Install nodejs and npm.");
        }
        try (FileChannel lock =
                FileChannel.open(project.file("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Another process may run tests that need the same package.
            lock.lock();
            project.install(Path.of("src/test/" + name), purpose);
        }
        return project;
    }

    private void install(Path sources, String purpose) throws IOException, InterruptedException {
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, file(file.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Path done = file("node_modules").resolve("installed.json");
        Path wanted = file("package.json");
        if (Files.exists(done) && Files.mismatch(done, wanted) < 0) {
            return;
        }
        Result installed = npm("install", "--no-audit", "--no-fund", "--prefer-offline");
        if (installed.exitCode() != 0) {
            missing(purpose, "npm could not install what it needs:\n" + installed.text());
        }
        Files.createDirectories(done.getParent());
        Files.copy(wanted, done, StandardCopyOption.REPLACE_EXISTING);
    }

    /** A file of the copy. */
    public Path file(String name) {
        return copy.resolve(name);
    }

    /** Runs npm. */
    public Result npm(String... arguments) throws IOException, InterruptedException {
        return run(
                Map.of(), Stream.concat(Stream.of("npm"), Stream.of(arguments)).toList());
    }

    /** Runs a program in the copy and waits for it. */
    public Result run(Map<String, String> environment, List<String> command) throws IOException, InterruptedException {
        File output = Files.createTempFile("npm", ".log").toFile();
        Process process = start(environment, command, output);
        boolean isDone = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        String text = Files.readString(output.toPath(), StandardCharsets.UTF_8);
        Files.delete(output.toPath());
        return new Result(isDone ? process.exitValue() : -1, text);
    }

    /** Starts a program in the copy. What it prints goes to the file. */
    Process start(Map<String, String> environment, List<String> command, File output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private int nodeVersion() throws IOException, InterruptedException {
        if (!Shell.has("node")) {
            return 0;
        }
        String version = run(Map.of(), List.of("node", "--version")).text().strip();
        return version.matches("v\\d+\\..*") ? Integer.parseInt(version.substring(1, version.indexOf('.'))) : 0;
    }

    private static void missing(String purpose, String why) {
        String banner = "!".repeat(100);
        String message = "NOT CHECKED: " + purpose + ", because " + why;
        System.err.println("\n" + banner + "\n" + message + "\n" + banner);
        abort(message);
    }
}
