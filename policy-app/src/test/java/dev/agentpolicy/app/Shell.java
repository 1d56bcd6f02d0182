package dev.agentpolicy.app;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs external programs. */
public final class Shell {
    private static final long MAX_SECONDS = 60;

    private Shell() {}

    static boolean has(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** The output of a program, stdout and stderr together. */
    public static String line(List<String> program, List<String> arguments) throws IOException, InterruptedException {
        return run(program.get(0), program, arguments).line();
    }

    /** Runs a program and returns its output and exit code. */
    static Verifiers.Said run(String name, List<String> program, List<String> arguments)
            throws IOException, InterruptedException {
        return run(name, program, arguments, Path.of("").toAbsolutePath());
    }

    /** The same in a folder. */
    static Verifiers.Said run(String name, List<String> program, List<String> arguments, Path folder)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("Not done in a minute: " + String.join(" ", command));
        }
        return new Verifiers.Said(name, process.exitValue(), output.strip());
    }
}
