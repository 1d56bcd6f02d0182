package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One key id in 64 begins with a hyphen; no verifier may take it for an option. */
class HyphenatedKeyIdTest {
    private static final Path VECTORS = Path.of("../docs/vectors");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-a", "-h", "-V", "--", "-"})
    void an_id_that_looks_like_an_option_is_pinned_like_any_other(String beginning) throws Exception {
        String id = beginning + "u".repeat(42 - beginning.length()) + "A";

        List<String> verdicts = Verifiers.ALL.verdicts(
                folder,
                Files.readString(VECTORS.resolve("events.json")),
                Files.readString(VECTORS.resolve("signing-keys.json")),
                "--pin",
                id,
                "--root",
                id);

        assertThat(verdicts)
                .isNotEmpty()
                .allMatch(said -> said.matches(
                        "broken at seq 1: [Tt]he row is signed by another key than the chain expects[.]?"));
    }
}
