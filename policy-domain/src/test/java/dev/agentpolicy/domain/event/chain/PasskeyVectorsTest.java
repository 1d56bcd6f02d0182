package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Chains with acceptances that a person signed, and chains that only claim them (docs/verify.md, Acceptances that a person
 * signed). {@code -Dvectors.passkeys=write} writes what docs/vectors/passkeys lacks.
 */
class PasskeyVectorsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path VECTORS = Path.of("../docs/vectors");
    private static final Map<String, String> MADE = PasskeyVectors.files();

    @Test
    void the_signatures_of_a_genuine_chain_hold() throws IOException {
        for (Map<String, String> files : List.of(MADE, written())) {
            PasskeySignatures acceptances = new PasskeySignatures(true);

            assertThat(difference(rows(files, "genuine"), acceptances)).isEmpty();
            assertThat(acceptances.requests()).containsExactly(1L, 2L, 3L);
            assertThat(acceptances.unchecked()).isZero();
        }
    }

    @Test
    void one_signature_of_two_requests_holds_for_both() throws IOException {
        for (Map<String, String> files : List.of(MADE, written())) {
            PasskeySignatures acceptances = new PasskeySignatures(true);

            assertThat(difference(rows(files, "genuine-together"), acceptances)).isEmpty();
            assertThat(acceptances.requests()).containsExactly(1L, 2L);
        }
    }

    @Test
    void no_forged_acceptance_holds_although_the_service_signed_it() throws IOException {
        for (Map<String, String> files : List.of(MADE, written())) {
            for (JsonNode forged : JSON.readTree(files.get("passkeys/passkeys.json"))) {
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
    void an_edwards_key_is_usable_when_its_number_is_that_of_a_point() {
        List<Integer> points = IntStream.range(2, 12)
                .filter(y -> {
                    byte[] bytes = new byte[32];
                    bytes[0] = (byte) y;
                    return PasskeyKey.ed25519(bytes).isUsable();
                })
                .boxed()
                .toList();

        assertThat(points).containsExactly(3, 4, 5, 6, 9, 10);
        assertThat(new SoftPasskey(PasskeyAlgorithm.EDDSA).key().isUsable()).isTrue();
    }

    @Test
    void the_written_chains_are_those_that_are_made() throws IOException {
        if ("write".equals(System.getProperty("vectors.passkeys"))) {
            for (Map.Entry<String, String> file : MADE.entrySet()) {
                Path path = VECTORS.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                if (Files.notExists(path) || path.endsWith("passkeys.json")) {
                    Files.writeString(path, file.getValue());
                }
            }
        }

        assertThat(written().keySet()).containsExactlyInAnyOrderElementsOf(MADE.keySet());
        assertThat(written()).containsEntry("passkeys/passkeys.json", MADE.get("passkeys/passkeys.json"));
    }

    @Test
    void in_a_chain_that_is_continued_what_refers_to_earlier_rows_is_not_checked() {
        List<PolicyEvent> rows = rows(MADE, "genuine");

        for (int known : IntStream.rangeClosed(1, 5).toArray()) {
            PasskeySignatures acceptances = new PasskeySignatures(false);

            assertThat(difference(rows.subList(known, rows.size()), acceptances))
                    .isEmpty();
            assertThat(acceptances.requests().size() + acceptances.unchecked()).isEqualTo(3);
            assertThat(acceptances.unchecked()).isPositive();
        }
    }

    @Test
    void an_erased_proposal_still_binds_the_signature_by_its_hash() {
        List<PolicyEvent> rows = erased(rows(MADE, "genuine"), 2);
        PasskeySignatures acceptances = new PasskeySignatures(true);

        assertThat(difference(rows, acceptances)).isEmpty();
        assertThat(acceptances.requests()).containsExactly(1L, 2L, 3L);
        assertThat(difference(erased(rows(MADE, "another-decision"), 2), new PasskeySignatures(true)))
                .isPresent();
    }

    @Test
    void after_an_erased_key_an_unknown_passkey_is_not_checked() {
        PasskeySignatures acceptances = new PasskeySignatures(true);

        assertThat(difference(erased(rows(MADE, "genuine"), 1), acceptances)).isEmpty();
        assertThat(acceptances.requests()).containsExactly(2L, 3L);
        assertThat(acceptances.unchecked()).isEqualTo(1);
    }

    private static List<PolicyEvent> erased(List<PolicyEvent> rows, long seq) {
        return rows.stream()
                .map(row -> row.seq() == seq ? EmergencyVectors.erased(row) : row)
                .toList();
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

    private static Optional<Difference> difference(List<PolicyEvent> rows, PasskeySignatures acceptances) {
        return rows.stream().map(acceptances::row).flatMap(Optional::stream).findFirst();
    }

    private static List<PolicyEvent> rows(Map<String, String> files, String name) {
        Document page =
                Document.parse(files.get("passkeys/" + name + "/events.json")).orElseThrow();
        return ((List<?>) page.get("events"))
                .stream().map(row -> RowJson.read((Document) row).orElseThrow()).toList();
    }

    private static Map<String, String> written() throws IOException {
        try (Stream<Path> there = Files.walk(VECTORS.resolve("passkeys"))) {
            return there.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(path -> VECTORS.relativize(path).toString(), PasskeyVectorsTest::text));
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
