package dev.agentpolicy.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.Policy;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of {@code docs/embedding.md} compile and run as modules that see only what the domain exports. */
class EmbeddingExampleTest {
    private static final Path PAGE = Path.of("../docs/embedding.md");
    private static final Path EXAMPLES = Path.of("src/test/java/dev/agentpolicy/example");
    private static final Path VECTORS = Path.of("../docs/vectors");
    private static final String USER = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    private static final String ANCHOR_KEY = "FVV5umTuau890q59V-4Ga_R6qWb7ON_ivJc4EjvCwTM";
    private static final int MAX_IMPORTS = 6;

    @TempDir
    Path directory;

    @Test
    void the_page_shows_exactly_the_files_that_are_compiled() throws IOException {
        assertThat(blocks("java"))
                .containsExactly(source("MayI"), source("WhatChanges"), source("TestPolicy"), source("CheckChain"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MayI", "WhatChanges", "TestPolicy", "CheckChain"})
    void an_example_has_at_most_six_imports(String name) throws IOException {
        assertThat(source(name).lines().filter(line -> line.startsWith("import ")))
                .hasSizeBetween(1, MAX_IMPORTS);
    }

    @Test
    void the_policy_answers_what_the_page_says() throws Exception {
        compile(source("MayI"), "MayI");

        assertThat(run("MayI")).isEqualTo(blocks("text").get(0));
    }

    @Test
    void the_comparison_answers_what_the_page_says() throws Exception {
        compile(source("WhatChanges"), "WhatChanges");

        assertThat(run("WhatChanges")).isEqualTo(blocks("text").get(1));
    }

    @Test
    void the_tests_answer_what_the_page_says() throws Exception {
        compile(source("TestPolicy"), "TestPolicy");

        assertThat(run("TestPolicy")).isEqualTo(blocks("text").get(2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            attacks/genuine         | Intact up to row 5
            attacks/nulled-decision | Broken at row 4: The payload is missing, and no signed erasure explains it.
            """)
    void the_verifier_tells_a_genuine_chain_from_a_forged_one(String vectors, String verdict) throws Exception {
        Path chain = VECTORS.resolve(vectors);
        compile(source("CheckChain"), "CheckChain");

        assertThat(run(
                        "CheckChain",
                        USER,
                        ANCHOR_KEY,
                        chain.resolve("signing-keys.json").toString(),
                        chain.resolve("events.json").toString()))
                .isEqualTo(verdict + "\n");
    }

    @Test
    void the_module_exports_values_decisions_and_verification_only() throws Exception {
        assertThat(ModuleFinder.of(location(Policy.class))
                        .find("dev.agentpolicy.domain")
                        .orElseThrow()
                        .descriptor()
                        .exports())
                .allMatch(exported -> !exported.isQualified())
                .extracting(exported -> exported.source().substring("dev.agentpolicy.domain.".length()))
                .containsExactlyInAnyOrder(
                        "document",
                        "quantity",
                        "rule",
                        "trade",
                        "ips",
                        "portfolio",
                        "agent",
                        "custodian",
                        "decision",
                        "compare",
                        "event.signing",
                        "event.chain",
                        "event.anchor",
                        "event.recompute");
    }

    @Test
    void a_module_cannot_use_what_is_not_exported() throws Exception {
        String source = source("MayI").replace("domain.trade.Trade;", "domain.account.Account;");

        assertThat(errors(source, "MayI")).contains("package dev.agentpolicy.domain.account is not visible");
    }

    private void compile(String source, String name) throws Exception {
        assertThat(errors(source, name)).isEmpty();
    }

    /** Compiles a class as a module of its own; returns what the compiler has to say. */
    private String errors(String source, String name) throws Exception {
        Path module = Files.writeString(
                directory.resolve("module-info.java"), "module example { requires dev.agentpolicy.domain; }");
        Path file = Files.writeString(directory.resolve(name + ".java"), source);
        String modules = location(Policy.class) + System.getProperty("path.separator") + location(NullMarked.class);
        StringWriter errors = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            compiler.getTask(
                            errors,
                            files,
                            null,
                            List.of(
                                    "-Xlint:all",
                                    "--module-path",
                                    modules,
                                    "-d",
                                    classes().toString()),
                            null,
                            files.getJavaFileObjects(module, file))
                    .call();
        }
        return errors.toString();
    }

    private String run(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                location(Policy.class) + System.getProperty("path.separator") + classes(),
                "--module",
                "example/dev.agentpolicy.example." + name));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private Path classes() {
        return directory.resolve("classes");
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static String source(String name) throws IOException {
        return Files.readString(EXAMPLES.resolve(name + ".java"));
    }

    /** The blocks of the page in a language, in order. */
    private static List<String> blocks(String language) throws IOException {
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        return block.results().map(found -> found.group(1)).toList();
    }
}
