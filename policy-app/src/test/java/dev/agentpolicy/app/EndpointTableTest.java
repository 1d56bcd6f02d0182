package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.AgentApi;
import dev.agentpolicy.adapter.http.AppApi;
import dev.agentpolicy.adapter.http.AppUseCases;
import dev.agentpolicy.adapter.http.CallGate;
import dev.agentpolicy.adapter.http.HttpConfig;
import dev.agentpolicy.adapter.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the route tables against the documentation; nothing is called, so nobody stands behind the routes. */
class EndpointTableTest {
    private static final Path DOCS = Path.of("..", "docs", "reference");
    private static final HttpConfig CONFIG = HttpConfig.of("127.0.0.1", 0, List.of());
    private static final int ACCESS = 2;
    private static final int INPUT = 3;

    @Test
    void the_agent_api_is_documented_row_by_row() throws IOException {
        assertThat(rows("endpoints.md", "/api/agent/").map(cells -> String.join(" | ", cells.subList(0, INPUT + 1))))
                .containsExactlyElementsOf(described(agentRoutes()));
    }

    @Test
    void the_app_api_is_documented_row_by_row() throws IOException {
        assertThat(rows("endpoints.md", "/api/app/").map(cells -> String.join(" | ", cells.subList(0, INPUT + 1))))
                .containsExactlyElementsOf(described(appRoutes()));
    }

    @Test
    void the_agent_api_has_the_rows_of_the_specification_in_their_order_and_its_own_description() throws IOException {
        List<String> specified = rows("specification.md", "/api/agent/")
                .map(cells -> cells.get(0) + " " + cells.get(1))
                .toList();

        assertThat(agentRoutes().stream().map(route -> route.method() + " " + route.path()))
                .hasSize(specified.size() + 1)
                .startsWith(specified.toArray(String[]::new))
                .endsWith("GET /api/agent/v1/openapi.json");
    }

    @Test
    void every_scope_is_the_one_the_specification_names() throws IOException {
        List<String> scopes = rows("specification.md", "/api/agent/")
                .map(cells -> cells.get(ACCESS))
                .map(scope -> scope.startsWith("none") ? "none" : scope.contains("not shown") ? "any key" : scope)
                .toList();

        assertThat(agentRoutes().stream()
                        .limit(scopes.size())
                        .map(route -> route.access().documented()))
                .containsExactlyElementsOf(scopes);
    }

    private static List<Route> agentRoutes() {
        CallGate gate = new CallGate(null, null, InstantSource.system(), CONFIG);
        return new AgentApi(gate, () -> null, null).routes();
    }

    private static List<Route> appRoutes() {
        AppUseCases nobody = new AppUseCases(null, null, null, null, null, null, null, null, null, null, null, null);
        return new AppApi(nobody, InstantSource.system(), CONFIG).routes();
    }

    private static List<String> described(List<Route> routes) {
        return routes.stream()
                .map(route -> String.join(
                        " | ", route.method(), route.path(), route.access().documented(), route.input()))
                .toList();
    }

    /** The cells of the rows whose second cell is a path below a prefix. */
    private static Stream<List<String>> rows(String file, String prefix) throws IOException {
        return Files.readAllLines(DOCS.resolve(file)).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> Stream.of(line.substring(1).split("\\|"))
                        .map(String::trim)
                        .toList())
                .filter(cells -> cells.size() > INPUT && cells.get(1).startsWith(prefix));
    }
}
