package dev.agentpolicy.app.hostile;

import dev.agentpolicy.app.TestHousehold;
import dev.agentpolicy.openapi.OpenApiDocument;
import dev.agentpolicy.openapi.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * One path and method that the service answers, as docs/reference/endpoints.md and docs/openapi.json tell of it; other
 * tests hold both against the routes, so none can be forgotten.
 *
 * @param access {@code none}, {@code session}, or what a key must be good for
 * @param parameters of its query
 * @param bodies that are right, as JSON; empty when it takes none
 */
record Endpoint(String method, String path, String access, List<String> parameters, List<String> bodies) {
    private static final Path TABLES = Path.of("../docs/reference/endpoints.md");
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.load();

    /** The path of the Model Context Protocol, whose messages are not described in openapi.json. */
    private static final String MCP = "/mcp";

    private static final List<String> MESSAGES = List.of(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                    + "\"capabilities\":{},\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\",\"params\":{}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"policy://mandate/current\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"prompts/get\",\"params\":{\"name\":\"review-portfolio\"}}",
            tool("get_audit", "{\"limit\":1,\"allowed\":true}"),
            tool("get_events", "{\"limit\":1,\"order\":\"desc\"}"),
            tool("get_headroom", "{\"action\":\"buy\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\"}"),
            tool("validate_trade", TestHousehold.trade("buy", "SPY", "tradfi", "1")),
            tool("validate_trades", "{\"trades\":[" + TestHousehold.trade("buy", "SPY", "tradfi", "1") + "]}"),
            tool("propose_trade", TestHousehold.trade("buy", "SPY", "tradfi", "1")));

    private static String tool(String name, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"" + name
                + "\",\"arguments\":" + arguments + "}}";
    }

    /** All of them, those of operators and of browsers included, but the stream, whose answer does not end. */
    static List<Endpoint> all() {
        try (Stream<String> lines = Files.lines(TABLES)) {
            return lines.filter(line -> line.matches("\\| (GET|POST|PUT|PATCH|DELETE) \\|.*"))
                    .map(line -> Stream.of(line.split("\\|")).map(String::strip).toList())
                    .map(cells -> of(cells.get(1), cells.get(2).replace("`", ""), cells.get(3), cells.get(4)))
                    .filter(endpoint -> !endpoint.path().endsWith("/stream"))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Endpoint of(String method, String path, String access, String takes) {
        boolean isReading = method.equals("GET") && !takes.equals("-");
        List<String> parameters = isReading ? List.of(takes.split(", ")) : List.of();
        return new Endpoint(method, path, access, parameters, bodies(method, path, takes));
    }

    private static List<String> bodies(String method, String path, String takes) {
        if (method.equals("GET") || takes.equals("-")) {
            return List.of();
        }
        if (path.startsWith("/oauth/")) {
            return path.endsWith("/register") ? List.of("{\"redirect_uris\":[\"https://a.example/cb\"]}") : List.of();
        }
        if (path.equals(MCP)) {
            return MESSAGES;
        }
        Operation operation = DOCUMENT.operation(method, path).orElseThrow();
        List<String> examples = new ArrayList<>();
        for (JsonNode example : operation.node().at("/requestBody/content/application~1json/examples")) {
            examples.add(DOCUMENT.resolve(example).get("value").toString());
        }
        return examples;
    }

    boolean isOfAgents() {
        return path.startsWith(TestHousehold.API) || path.matches("/(access/|\\.well-known/authzen).*");
    }

    /** Whether calls need the key of an agent. */
    boolean isKeyed() {
        return isOfAgents() || path.equals(MCP);
    }

    boolean isOfUsers() {
        return path.startsWith(TestHousehold.APP);
    }

    /** Whether a call can end sessions or the account, or change how its user signs in. */
    boolean isAboutSessions() {
        return path.matches(".*/(session|users|sessions|sessions/.*|me|me/.*)");
    }

    boolean changes() {
        return !method.equals("GET");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
