package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Holds docs/dependencies.md against the bill of materials, which the build makes of what it really resolved. */
class DependenciesTest {
    private static final Path PAGE = Path.of("../docs/dependencies.md");
    private static final Path MATERIALS = Path.of("target/policy-app-sbom.json");
    private static final String OWN_GROUP = "dev.agentpolicy";

    /** A library of the runnable jar. */
    record Library(String name, String version, String licence) {}

    @Test
    void every_library_has_its_row_and_every_row_its_library() throws IOException {
        assertThat(documented()).containsExactlyInAnyOrderElementsOf(shipped());
    }

    @Test
    void every_licence_is_one_that_is_accepted() throws IOException {
        Set<String> accepted = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("- `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .collect(Collectors.toSet());

        assertThat(shipped())
                .isNotEmpty()
                .allMatch(library ->
                        Arrays.stream(library.licence().split(" or ")).anyMatch(accepted::contains));
    }

    @Test
    void every_library_has_its_checksum() throws IOException {
        assertThat(components())
                .allMatch(component ->
                        component.at("/hashes").findValuesAsText("alg").contains("SHA-256"));
    }

    private static List<Library> documented() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\s*\\|\\s*"))
                .map(cells -> new Library(cells[1].replace("`", ""), cells[2], cells[3]))
                .toList();
    }

    private static List<Library> shipped() throws IOException {
        return components()
                .map(component -> new Library(
                        component.get("group").textValue() + ":"
                                + component.get("name").textValue(),
                        component.get("version").textValue(),
                        licence(component)))
                .toList();
    }

    private static Stream<JsonNode> components() throws IOException {
        assertThat(MATERIALS)
                .as("the bill of materials, which only a build that is online makes")
                .exists();
        JsonNode materials = JsonMapper.builder().build().readTree(Files.readString(MATERIALS));
        return StreamSupport.stream(materials.get("components").spliterator(), false)
                .filter(component -> !component.get("group").textValue().equals(OWN_GROUP));
    }

    /** One, or those from which one may be chosen. */
    private static String licence(JsonNode component) {
        Stream<JsonNode> licences =
                StreamSupport.stream(component.path("licenses").spliterator(), false);
        return licences.map(each -> each.has("expression")
                        ? each.get("expression")
                                .textValue()
                                .replace(" OR ", " or ")
                                .replaceAll("[()]", "")
                        : each.at("/license/id").asText(each.at("/license/name").asText()))
                .collect(Collectors.joining(" or "));
    }
}
