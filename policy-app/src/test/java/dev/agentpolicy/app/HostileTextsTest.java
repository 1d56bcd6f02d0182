package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.Verifiers.Said;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.HostileVectors;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nothing of a chain, a manifest or a saved state becomes part of a script, a path or a pattern of the verifier that reads
 * it. The chains are those of docs/vectors/hostile; a command that ran leaves a file where the verifier was started.
 */
@Tag("slow")
class HostileTextsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path DOCS = TestJson.docs();
    private static final Path VECTORS = DOCS.resolve("vectors/hostile");
    private static final Path GENUINE = DOCS.resolve("vectors/attacks/genuine");
    /** The same chain with an erased row, so that a verifier counts on from the state. */
    private static final Path ERASED = DOCS.resolve("vectors/erased");

    private static final Path CONSOLE = DOCS.resolveSibling("policy-adapters-http/src/test/console/verify-chain.mjs");
    private static final List<String> SHELLS = Stream.of("dash", "bash")
            .filter(Shell::has)
            .map(shell -> shell + " verify.sh")
            .toList();

    /** Every script, that for the shell in each shell that is here. */
    private static final List<String> SCRIPTS = Stream.concat(
                    Stream.of("node verify.mjs", "python3 verify.py")
                            .filter(script -> Shell.has(script.substring(0, script.indexOf(' ')))),
                    SHELLS.stream())
            .toList();

    private static final boolean IS_LONG = ExperimentSettings.times(0, 1) == 1;
    private static final Random RANDOM = new Random(ExperimentSettings.seed(HostileTextsTest.class));

    @TempDir
    private Path folder;

    /** Where the scripts are started. */
    private Path empty;

    @BeforeEach
    void anEmptyFolder() throws IOException {
        empty = Files.createDirectory(folder.resolve("empty"));
    }

    @AfterEach
    void nothingRan() throws IOException {
        try (Stream<Path> left = Files.list(empty)) {
            assertThat(left).isEmpty();
        }
        assertThat(Path.of("pwned")).doesNotExist();
    }

    static Stream<Arguments> hostile() throws IOException {
        List<Arguments> hostile = new ArrayList<>();
        for (JsonNode each : JSON.readTree(VECTORS.resolve("hostile.json").toFile())) {
            hostile.add(Arguments.of(each.get("name").textValue(), each.get("brokenAt")));
        }
        return hostile.stream();
    }

    @Test
    void a_chain_does_not_run_commands_in_the_shell_that_verifies_it() throws Exception {
        for (Said said : said(VECTORS.resolve("request"), SHELLS)) {
            assertThat(empty).isEmptyDirectory();
            assertThat(said.line()).describedAs(said.toString()).startsWith("broken at seq 4: ");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void a_text_of_a_chain_is_a_text_to_every_verifier(String name, JsonNode brokenAt) throws Exception {
        for (Said said : said(VECTORS.resolve(name), scripts(name))) {
            assertThat(empty).describedAs(said.toString()).isEmptyDirectory();
            assertThat(said.line()).describedAs(said.toString()).matches("(ok|broken at seq [1-6]:) .*");
            if (!brokenAt.isNull()) {
                String begin = brokenAt.intValue() == 0 ? "ok 4 rows, " : "broken at seq " + brokenAt + ": ";
                assertThat(said.line()).describedAs(said.toString()).startsWith(begin);
            }
        }
    }

    /** In every build, what a shell calculates with is run in one of the shells, and all else by one of the scripts. */
    private static List<String> scripts(String name) {
        boolean isForShells = name.startsWith("request") || name.endsWith("-to-calculate");
        return drawn(isForShells && !IS_LONG ? SHELLS : SCRIPTS, 1);
    }

    /** In every build some of these, by the seed; all with {@code -Plong}. */
    private static <T> List<T> drawn(List<T> all, int count) {
        if (IS_LONG) {
            return all;
        }
        List<T> mixed = new ArrayList<>(all);
        Collections.shuffle(mixed, RANDOM);
        return mixed.subList(0, Math.min(count, all.size()));
    }

    @Test
    void texts_that_no_verifier_interprets_are_accepted_by_the_scripts() throws Exception {
        for (String name : List.of("every-text", "every-text-with-blanks")) {
            for (Said said : said(VECTORS.resolve(name), SCRIPTS)) {
                if (!said.verifier().equals("verify")) {
                    assertThat(said.verdict())
                            .describedAs(said.toString())
                            .matches("ok 4 rows, head [0-9a-f]{64}, signed by passkey: 1");
                }
            }
        }
    }

    @Test
    void a_saved_state_does_not_run_commands_in_the_shell_that_reads_it() throws Exception {
        for (String member : List.of(
                "userId",
                "seq",
                "hash",
                "signingKeyId",
                "createdAt",
                "firstKeyId",
                "anchorKeyId",
                "rootKeyId",
                "manifestVersion",
                "erasedRows")) {
            for (String hostile : drawn(List.of(HostileVectors.SED, HostileVectors.ARITHMETIC, "*", "a\nb"), 1)) {
                ObjectNode state = (ObjectNode)
                        JSON.readTree(GENUINE.resolveSibling("state.json").toFile());
                Path save = Files.writeString(
                        folder.resolve("state"), state.put(member, hostile).toString());
                for (String script : hostile.equals("*") ? SHELLS : SCRIPTS) {
                    Said said = run(script, ERASED, "--save", save.toString());
                    assertThat(empty).describedAs(member + " " + said).isEmptyDirectory();
                    assertThat(said.code()).describedAs(member + " " + said).isEqualTo(2);
                }
            }
        }
    }

    @Test
    void a_manifest_does_not_run_commands_in_the_shell_that_reads_it() throws Exception {
        for (String member : List.of(
                "kid",
                "x",
                "purpose",
                "status",
                "revocationReason",
                "compromisedSince",
                "byKeyId",
                "signature",
                "keyId",
                "value",
                "manifestVersion")) {
            for (String hostile : drawn(List.of(HostileVectors.ARITHMETIC + HostileVectors.SED + "*/../*", "*"), 1)) {
                Path manifest = Files.writeString(folder.resolve("keys"), manifest(member, hostile));
                for (String script : hostile.equals("*") ? SHELLS : SCRIPTS) {
                    Said said = run(script, GENUINE.resolve("events.json"), manifest, "--anchor", TestKey.TWO.keyId());
                    assertThat(empty).describedAs(member + " " + said).isEmptyDirectory();
                    assertThat(said.code()).describedAs(member + " " + said).isEqualTo(1);
                    assertThat(said.line()).describedAs(member + " " + said).matches("broken at seq [1-5]: .*");
                }
            }
        }
    }

    /** A manifest with a hostile member everywhere, signed by the anchor key if it can be. */
    private static String manifest(String member, String hostile) throws IOException {
        ObjectNode manifest =
                (ObjectNode) JSON.readTree(GENUINE.resolve("signing-keys.json").toFile());
        manifest.remove("signature");
        for (JsonNode each : manifest.withArray("keys")) {
            ObjectNode key = (ObjectNode) each;
            ObjectNode attestation = key.withArray("attestations").addObject();
            attestation.put("byKeyId", TestKey.ONE.keyId()).put("signature", TestKey.ONE.sign("x"));
            (attestation.has(member) ? attestation : key).put(member, hostile);
        }
        if (member.equals("manifestVersion")) {
            manifest.put(member, hostile);
        }
        String message = "agent-policy/manifest/v1\n"
                + CanonicalForm.write(Document.parse(manifest.toString()).orElseThrow());
        ObjectNode signature = manifest.putObject("signature");
        signature.put("keyId", TestKey.ANCHOR.keyId()).put("value", TestKey.ANCHOR.sign(message));
        if (signature.has(member)) {
            signature.put(member, hostile);
        }
        return manifest.toString();
    }

    /** What all verifiers say, started in an empty folder; the command runs in this process. */
    private List<Said> said(Path vectors, List<String> scripts) throws Exception {
        List<Said> said = new ArrayList<>();
        List<String> files = files(vectors.resolve("events.json"), vectors.resolve("signing-keys.json"));
        said.add(Verifiers.command(files));
        if (Shell.has("node")) {
            said.add(Shell.run("console", List.of("node", CONSOLE.toString()), files, empty));
        }
        for (String script : scripts) {
            said.add(run(script, vectors));
        }
        return said;
    }

    private Said run(String script, Path vectors, String... options) throws Exception {
        return run(script, vectors.resolve("events.json"), vectors.resolve("signing-keys.json"), options);
    }

    private Said run(String script, Path events, Path keys, String... options) throws Exception {
        String[] words = script.split(" ");
        List<String> arguments = new ArrayList<>(files(events, keys));
        arguments.addAll(List.of(options));
        String file = DOCS.resolve("verify").resolve(words[1]).toString();
        return Shell.run(script, List.of(words[0], file), arguments, empty);
    }

    private static List<String> files(Path events, Path keys) {
        return List.of(events.toAbsolutePath().toString(), keys.toAbsolutePath().toString());
    }
}
