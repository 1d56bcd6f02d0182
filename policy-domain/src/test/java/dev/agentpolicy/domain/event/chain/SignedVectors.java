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
 * Tests of the chains of a {@link VectorFolder} (docs/verify.md, What a person signed). {@code -Dvectors.FOLDER=write} writes
 * what the folder lacks, and its index.
 */
abstract class SignedVectors {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path VECTORS = Path.of("../docs/vectors");

    private final String folder;
    private final Map<String, String> made;
    private final String index;

    /** @param made files of the folder, made anew */
    SignedVectors(String folder, Map<String, String> made) {
        this.folder = folder;
        this.made = made;
        this.index = folder + "/" + folder + ".json";
    }

    @Test
    void nothing_forged_holds_although_the_service_signed_it() throws IOException {
        for (Map<String, String> files : List.of(made, written())) {
            for (JsonNode forged : JSON.readTree(files.get(index))) {
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
        if ("write".equals(System.getProperty("vectors." + folder))) {
            for (Map.Entry<String, String> file : made.entrySet()) {
                Path path = VECTORS.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                if (Files.notExists(path) || file.getKey().equals(index)) {
                    Files.writeString(path, file.getValue());
                }
            }
        }

        assertThat(written().keySet()).containsExactlyInAnyOrderElementsOf(made.keySet());
        assertThat(written()).containsEntry(index, made.get(index));
    }

    /** The rows of a vector that was made anew. */
    List<PolicyEvent> rows(String name) {
        return rows(made, name);
    }

    /** The rows of a vector, made anew and as written. */
    List<List<PolicyEvent>> all(String name) throws IOException {
        return List.of(rows(name), rows(written(), name));
    }

    private List<PolicyEvent> rows(Map<String, String> files, String name) {
        Document page =
                Document.parse(files.get(folder + "/" + name + "/events.json")).orElseThrow();
        return ((List<?>) page.get("events"))
                .stream().map(row -> RowJson.read((Document) row).orElseThrow()).toList();
    }

    static List<PolicyEvent> erased(List<PolicyEvent> rows, long seq) {
        return rows.stream()
                .map(row -> row.seq() == seq ? EmergencyVectors.erased(row) : row)
                .toList();
    }

    static Optional<Difference> difference(List<PolicyEvent> rows, PasskeySignatures signatures) {
        return rows.stream().map(signatures::row).flatMap(Optional::stream).findFirst();
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

    private Map<String, String> written() throws IOException {
        try (Stream<Path> there = Files.walk(VECTORS.resolve(folder))) {
            return there.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(path -> VECTORS.relativize(path).toString(), SignedVectors::text));
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
