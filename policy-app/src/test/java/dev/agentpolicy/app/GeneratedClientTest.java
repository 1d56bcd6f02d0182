package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client whose types are made from docs/openapi.json compiles, and what it is answered has those types. */
class GeneratedClientTest {
    private static final int OLDEST_NODE = 18;
    private static final long MAX_SECONDS = 300;
    private static final Path SOURCES = Path.of("src/test/node");

    /** As deep as the sources, so that the same paths lead to the description; kept, so that npm has less to fetch. */
    private static final Path COPY = Path.of("target/node/client");

    @TempDir
    Path folder;

    @Test
    void the_description_passes_a_linter_and_a_client_made_from_it_runs() throws Exception {
        if (!Shell.has("npm") || nodeVersion() < OLDEST_NODE) {
            missing("no npm with Node.js " + OLDEST_NODE + " or later was found here. Install nodejs and npm.");
        }
        copySources();
        Said installed = npm(Map.of(), "install", "--no-audit", "--no-fund", "--prefer-offline");
        if (installed.exitCode() != 0) {
            missing("npm could not install the generator:\n" + installed.text());
        }

        Said linted = npm(Map.of(), "run", "--silent", "lint");
        Said built = npm(Map.of(), "run", "--silent", "build");
        assertThat(linted.exitCode()).describedAs(linted.text()).isZero();
        assertThat(built.exitCode()).describedAs(built.text()).isZero();
        try (RunningService service = RunningService.start(folder)) {
            TestHousehold household = TestHousehold.withPolicy(new ApiCaller(service.address()));
            for (String type : List.of("live", "test")) {
                JsonNode key = household.mint(type);
                Said called = npm(
                        Map.of(
                                "BASE_URL",
                                service.address(),
                                "API_KEY",
                                key.get("key").textValue()),
                        "start");

                assertThat(called.exitCode()).describedAs(called.text()).isZero();
                assertThat(called.text())
                        .contains("whoami   " + type + " key of " + household.userId())
                        .contains("validate Within policy []")
                        .containsPattern("propose  request (-?\\d+)\\R(.*\\R)?propose  request \\1 \\(again\\)");
            }
        }
    }

    /** What a program said, and how it ended. */
    private record Said(int exitCode, String text) {}

    private static Said npm(Map<String, String> environment, String... arguments) throws Exception {
        return run(
                environment,
                Stream.concat(Stream.of("npm"), Stream.of(arguments)).toList());
    }

    private static Said run(Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        File output = Files.createTempFile("npm", ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Files.createDirectories(COPY).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        boolean isDone = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        String text = Files.readString(output.toPath(), StandardCharsets.UTF_8);
        Files.delete(output.toPath());
        return new Said(isDone ? process.exitValue() : -1, text);
    }

    private static int nodeVersion() throws IOException, InterruptedException {
        if (!Shell.has("node")) {
            return 0;
        }
        String version = run(Map.of(), List.of("node", "--version")).text().strip();
        return version.matches("v\\d+\\..*") ? Integer.parseInt(version.substring(1, version.indexOf('.'))) : 0;
    }

    private static void copySources() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, COPY.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void missing(String why) {
        String banner = "!".repeat(100);
        String message =
                "NO GENERATED CLIENT: THE DESCRIPTION WAS NOT LINTED AND NO CLIENT WAS MADE FROM IT, as " + why;
        System.err.println("\n" + banner + "\n" + message + "\n" + banner);
        abort(message);
    }
}
