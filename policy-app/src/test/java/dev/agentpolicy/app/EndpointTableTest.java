package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.route.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds what is served against docs/reference/endpoints.md, and the agents' part against the specification's table. */
class EndpointTableTest {
    private static final Path ENDPOINTS = Path.of("../docs/reference/endpoints.md");
    private static final Path SPECIFICATION = Path.of("../docs/reference/specification.md");
    private static final String AGENTS = "/api/agent/";

    private static ServiceNode node;

    @BeforeAll
    static void start(@TempDir Path folder) {
        node = ServiceNode.start(folder, Database.H2.fresh(folder));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /** Method, path, scope and input of an endpoint. */
    record Row(String method, String path, String scope, String takes) {}

    @Test
    void every_route_has_its_row_and_every_row_its_route() throws IOException {
        assertThat(documented()).containsExactlyElementsOf(served());
    }

    @Test
    void every_endpoint_of_the_specification_is_served_with_its_scope() throws IOException {
        List<Row> served = served().stream()
                .filter(row -> row.path().startsWith(AGENTS))
                .map(row -> new Row(row.method(), row.path(), scope(row.scope()), ""))
                .toList();

        List<Row> specified = cells(SPECIFICATION)
                .filter(cells -> cells.get(1).startsWith(AGENTS))
                .map(cells -> new Row(cells.get(0), cells.get(1), scope(cells.get(2)), ""))
                .toList();

        assertThat(specified).hasSize(10);
        assertThat(served).containsAll(specified);
    }

    /** What the specification leaves open for whoami, any key, and what it says in more words. */
    private static String scope(String documented) {
        return documented.startsWith("required scope: not shown")
                ? "any key"
                : documented.startsWith("none") ? "none" : documented;
    }

    private static List<Row> served() {
        return node.running().door().routes().stream()
                .map(EndpointTableTest::row)
                .toList();
    }

    private static Row row(Route route) {
        return new Row(route.method(), route.path(), route.access().documented(), route.input());
    }

    private static List<Row> documented() throws IOException {
        return cells(ENDPOINTS)
                .map(cells -> new Row(cells.get(0), cells.get(1).replace("`", ""), cells.get(2), cells.get(3)))
                .toList();
    }

    /** The cells of the rows that begin with a method. */
    private static Stream<List<String>> cells(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.matches("\\| (GET|POST|PUT|PATCH|DELETE) \\|.*"))
                .map(line ->
                        Stream.of(line.split("\\|")).skip(1).map(String::strip).toList());
    }
}
