package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentpolicy.app.Verifiers.Said;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Acceptances and changes of the policy that somebody claims who has the service's signing key and not the user's passkey,
 * checked by every verifier. The chains are those of docs/vectors/passkeys and docs/vectors/changes.
 */
@Tag("slow")
class ForgedAcceptancesTest {
    private static final Path VECTORS = Path.of("../docs/vectors");

    static Stream<Arguments> forged() throws IOException {
        List<Arguments> forged = new ArrayList<>();
        for (String folder : List.of("passkeys/", "changes/")) {
            Path index = VECTORS.resolve(folder + folder.replace('/', '.') + "json");
            for (JsonNode each : new ObjectMapper().readTree(index.toFile())) {
                forged.add(Arguments.of(
                        folder + each.get("name").textValue(),
                        each.get("brokenAt").intValue()));
            }
        }
        return forged.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forged")
    void every_verifier_refuses_a_forged_acceptance_or_change(String name, int brokenAt) throws Exception {
        assertThat(said(name)).allSatisfy(said -> {
            assertThat(said.code()).describedAs(said.toString()).isEqualTo(1);
            assertThat(said.line()).describedAs(said.toString()).startsWith("broken at seq " + brokenAt + ": ");
        });
    }

    @Test
    void every_verifier_says_which_acceptances_a_person_signed() throws Exception {
        assertThat(said("passkeys/genuine")).allSatisfy(said -> {
            assertThat(said.code()).describedAs(said.toString()).isZero();
            assertThat(said.verdict()).matches("ok 12 rows, head [0-9a-f]{64}, signed by passkey: 1, 2, 3");
        });
    }

    @Test
    void every_verifier_says_which_versions_of_the_policy_a_person_signed() throws Exception {
        assertThat(said("changes/genuine")).allSatisfy(said -> {
            assertThat(said.code()).describedAs(said.toString()).isZero();
            assertThat(said.verdict())
                    .matches("ok 9 rows, head [0-9a-f]{64}, policy versions signed by passkey: 1, 2, 5");
        });
    }

    private static List<Said> said(String name) throws IOException, InterruptedException {
        List<String> files = Stream.of("events.json", "signing-keys.json")
                .map(file -> VECTORS.resolve(name).resolve(file).toString())
                .toList();
        List<Said> said = new ArrayList<>(Verifiers.ALL.said(files));
        if (Shell.has("node")) {
            said.add(Verifiers.console(files));
        }
        return said;
    }
}
