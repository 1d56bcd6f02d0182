package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentpolicy.app.NpmProject;
import dev.agentpolicy.app.NpmProject.Result;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The settings that the console shows for a new key connect an agent as they are printed. */
class ConsoleConnectTest extends ConsoleBench {
    private static final int COMMANDS = 2;

    private Path folder;
    private Path jar;
    private NpmProject node;
    private Tab tab;

    @BeforeAll
    void mint(@TempDir Path directory) throws Exception {
        folder = directory;
        jar = jar(directory.resolve("policy app.jar"));
        node = NpmProject.install("node/agents", "the settings for agents that the console shows");
        Files.writeString(
                directory.resolve("claude"),
                "#!/bin/sh\nexec node " + node.file("claude.mjs").toAbsolutePath() + " \"$@\"\n");
        Files.setPosixFilePermissions(directory.resolve("claude"), PosixFilePermissions.fromString("rwx------"));
        tab = household().tab(browser, WIDE).go("/agents").click("Mint a key").fill("key-name", "Connected");
        tab.click("Mint key").sees("Connect your agent").fill("jar", jar.toString());
    }

    @Test
    void the_commands_of_claude_code_add_a_server_that_works() throws Exception {
        List<String> printed = printed("Claude Code");

        assertThat(printed).hasSize(COMMANDS);
        for (String command : printed) {
            connect(succeeded(List.of("sh", "-c", command)));
        }
    }

    @Test
    void the_settings_of_claude_desktop_and_cursor_connect() throws Exception {
        connect(only("Claude Desktop"));
        connect(only("Cursor"));
    }

    @Test
    void the_program_in_python_asks_and_proposes() throws Exception {
        Path program = Files.writeString(folder.resolve("first.py"), only("Python"));
        assumeTrue(
                node.run(Map.of(), List.of("python3", "-c", "import requests")).exitCode() == 0, "no requests");

        askedAndProposed(succeeded(List.of("python3", program.toString())));
    }

    /** The package mcp for Python is not among what the tests may fetch, so this program is compiled and not run. */
    @Test
    void the_program_for_mcp_in_python_compiles() throws Exception {
        Path program = Files.writeString(folder.resolve("first_mcp.py"), only("Python (MCP)"));

        succeeded(List.of("python3", "-m", "py_compile", program.toString()));
    }

    @Test
    void the_program_in_typescript_asks_and_proposes() throws Exception {
        Files.writeString(node.file("first.ts"), only("TypeScript"));
        Result compiled = node.npm("run", "--silent", "compile");
        assertThat(compiled.exitCode()).describedAs(compiled.text()).isZero();

        askedAndProposed(succeeded(List.of("node", "build/first.js")));
    }

    @Test
    void the_commands_for_curl_ask_and_propose() throws Exception {
        List<String> printed = printed("curl");

        assertThat(printed).hasSize(COMMANDS);
        askedAndProposed(succeeded(List.of("sh", "-c", String.join("\n", printed))));
    }

    @Test
    void the_tabs_are_moved_through_with_the_arrow_keys() {
        tab.click("Claude Code").press("ArrowRight").sees("Claude Desktop: Settings");
        tab.press("ArrowLeft").press("ArrowLeft").sees("Would this trade be allowed?");

        assertThat(tab.evaluate("document.activeElement.textContent").asString())
                .isEqualTo("curl");
        assertThat(tab.complaints()).isEmpty();
    }

    /** What a tab shows to copy. */
    private List<String> printed(String name) {
        tab.click(name);
        List<String> texts = new ArrayList<>();
        for (JsonNode text :
                tab.evaluate("[...document.querySelectorAll('[role=tabpanel] pre')].map((e) => e.textContent)")) {
            texts.add(text.asString());
        }
        return texts;
    }

    private String only(String name) {
        List<String> printed = printed(name);
        assertThat(printed).hasSize(1);
        return printed.get(0);
    }

    /** Connects the official client with settings in the form of a client's file. */
    private void connect(String settings) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("settings.json"), settings);
        askedAndProposed(succeeded(List.of("sh", "-c", "node connect.mjs < '" + file + "'")));
    }

    private static void askedAndProposed(String output) {
        assertThat(output).contains("Within policy", "serviceRequestId");
    }

    private String succeeded(List<String> command) throws IOException, InterruptedException {
        String path = folder + File.pathSeparator + System.getenv("PATH");
        Result result = node.run(Map.of("PATH", path), command);
        assertThat(result.exitCode())
                .describedAs(command + "\n" + result.text())
                .isZero();
        return result.text();
    }

    /** A jar that starts the service's command line from the class path of the tests. */
    private static Path jar(Path file) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, "dev.agentpolicy.app.Main");
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Stream.of(classPath.split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" ")));
        try (OutputStream out = Files.newOutputStream(file)) {
            new JarOutputStream(out, manifest).close();
        }
        return file;
    }
}
