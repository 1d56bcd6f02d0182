package dev.agentpolicy.openapi;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Finds the description of a response. Responses to calls of no operation are described by the beginning of the path, under {@code x-outside-operations}.
 */
final class DescribedResponse {
    private final OpenApiDocument document;

    DescribedResponse(OpenApiDocument document) {
        this.document = document;
    }

    /** The description; a missing node when there is none. */
    JsonNode of(Exchange exchange) {
        String path = exchange.pathWithoutQuery();
        String method = exchange.method().equals("HEAD") ? "GET" : exchange.method();
        Optional<Operation> operation = document.operation(method, path);
        JsonNode own = operation
                .map(found -> document.resolve(found.response(exchange.status())))
                .orElse(MissingNode.getInstance());
        if (own.isMissingNode()) {
            JsonNode ofServer = outside("/api/", exchange);
            return ofServer.isMissingNode() && operation.isEmpty() ? ofNoOperation(exchange, path) : ofServer;
        }
        return own;
    }

    /** Responses to another method are described for known paths only. */
    private JsonNode ofNoOperation(Exchange exchange, String path) {
        boolean isPath = document.operations().stream().anyMatch(operation -> operation.isAt(path));
        return exchange.status() == (isPath ? 404 : 405)
                ? MissingNode.getInstance()
                : outside(path.startsWith("/api/app/") ? "/api/app/" : "/api/agent/", exchange);
    }

    private JsonNode outside(String prefix, Exchange exchange) {
        JsonNode responses = document.root().path("x-outside-operations").path(prefix);
        return document.resolve(responses.path(Integer.toString(exchange.status())));
    }
}
