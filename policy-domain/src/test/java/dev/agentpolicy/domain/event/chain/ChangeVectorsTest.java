package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.recompute.PasskeySignatures;
import dev.agentpolicy.domain.event.recompute.Recomputation.Difference;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Chains with versions of the policy that a person signed, and chains that only claim them (docs/verify.md, What a person
 * signed). {@code -Dvectors.changes=write} writes docs/vectors/changes.
 */
class ChangeVectorsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path VECTORS = Path.of("../docs/vectors");
    private static final Map<String, String> MADE = ChangeVectors.files();

    @Test
    void the_signatures_of_a_genuine_chain_hold() throws IOException {
        for (Map<String, String> files : List.of(MADE, written())) {
            PasskeySignatures signatures = new PasskeySignatures(true);

            assertThat(difference(rows(files, "genuine"), signatures)).isEmpty();
            assertThat(signatures.versions()).containsExactly(1L, 2L, 5L);
            assertThat(signatures.requests()).isEmpty();
            assertThat(signatures.unchecked()).isZero();
        }
    }

    @Test
    void no_forged_change_holds_although_the_service_signed_it() throws IOException {
        for (Map<String, String> files : List.of(MADE, written())) {
            for (JsonNode forged : JSON.readTree(files.get("changes/changes.json"))) {
                String name = forged.get("name").textValue();
                List<PolicyEvent> rows = rows(files, name);

                assertThat(isIntact(rows)).describedAs(name).isTrue();
                assertThat(difference(rows, new PasskeySignatures(true)))
                        .describedAs(name)
                        .hasValueSatisfying(difference -> assertThat(difference.seq())
                                .isEqualTo(forged.get("brokenAt").longValue()));
            }
        }
    }

    @Test
    void the_written_chains_are_those_that_are_made() throws IOException {
        if ("write".equals(System.getProperty("vectors.changes"))) {
            for (Map.Entry<String, String> file : MADE.entrySet()) {
                Path path = VECTORS.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        }

        assertThat(written().keySet()).containsExactlyInAnyOrderElementsOf(MADE.keySet());
        assertThat(written()).containsEntry("changes/changes.json", MADE.get("changes/changes.json"));
    }

    @Test
    void in_a_chain_that_is_continued_what_earlier_passkeys_signed_is_not_checked() {
        List<PolicyEvent> rows = rows(MADE, "genuine");
        PasskeySignatures signatures = new PasskeySignatures(false);

        assertThat(difference(rows.subList(3, rows.size()), signatures)).isEmpty();
        assertThat(signatures.versions()).isEmpty();
        assertThat(signatures.unchecked()).isEqualTo(3);
    }

    @Test
    void after_an_erased_key_an_unknown_passkey_is_not_checked() {
        List<PolicyEvent> rows = rows(MADE, "genuine").stream()
                .map(row -> row.seq() == 1 ? EmergencyVectors.erased(row) : row)
                .toList();
        PasskeySignatures signatures = new PasskeySignatures(true);

        assertThat(difference(rows, signatures)).isEmpty();
        assertThat(signatures.versions()).containsExactly(2L, 5L);
        assertThat(signatures.unchecked()).isEqualTo(1);
    }

    private static boolean isIntact(List<PolicyEvent> rows) {
        return EventChain.verify(
                        ChainPoint.pinned(TestChain.USER, TestKey.ONE.keyId()),
                        rows,
                        List.of(TestKey.ONE.active(SigningKey.Purpose.EVENT, TestChain.START)),
                        SigningKey.Purpose.EVENT,
                        TestChain.CHECK)
                .isIntact();
    }

    private static Optional<Difference> difference(List<PolicyEvent> rows, PasskeySignatures signatures) {
        return rows.stream().map(signatures::row).flatMap(Optional::stream).findFirst();
    }

    private static List<PolicyEvent> rows(Map<String, String> files, String name) {
        Document page =
                Document.parse(files.get("changes/" + name + "/events.json")).orElseThrow();
        return ((List<?>) page.get("events"))
                .stream().map(row -> RowJson.read((Document) row).orElseThrow()).toList();
    }

    private static Map<String, String> written() throws IOException {
        try (Stream<Path> there = Files.walk(VECTORS.resolve("changes"))) {
            return there.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(path -> VECTORS.relativize(path).toString(), ChangeVectorsTest::text));
        }
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
