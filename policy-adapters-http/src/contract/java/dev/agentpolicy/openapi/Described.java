package dev.agentpolicy.openapi;

import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks every call of a test against {@code docs/openapi.json} and fails if the exchange is not as described. Paths outside of the APIs and {@code OPTIONS} are not described and always pass.
 */
public final class Described {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.load();
    private static final String AUTHZEN_CONFIGURATION = "/.well-known/authzen-configuration";
    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private Described() {}

    /** @param sent body of the request; empty for none, null if it is not known as text */
    public static HttpResponse<String> require(HttpResponse<String> response, @Nullable String sent) {
        require(Exchange.of(response, sent));
        return response;
    }

    public static void require(Exchange exchange) {
        boolean isOfApi = exchange.path().startsWith("/api/")
                || exchange.path().startsWith(Operation.ACCESS)
                || exchange.pathWithoutQuery().equals(AUTHZEN_CONFIGURATION);
        if (isOfApi && !exchange.method().equals("OPTIONS")) {
            DOCUMENT.require(exchange);
            note(exchange);
        }
    }

    /** Every described response, as {@code METHOD path status}. */
    public static Set<String> answers() {
        Set<String> answers = new TreeSet<>();
        DOCUMENT.operations()
                .forEach(operation -> operation
                        .node()
                        .path("responses")
                        .propertyNames()
                        .forEach(status -> answers.add(operation + " " + status)));
        return answers;
    }

    /** The described responses that this process has seen. */
    public static Set<String> seen() {
        return new TreeSet<>(SEEN);
    }

    /** A response to a wrong method is described for every operation of the path. */
    private static void note(Exchange exchange) {
        String path = exchange.pathWithoutQuery();
        DOCUMENT.operations().stream()
                .filter(operation -> operation.isAt(path))
                .filter(operation -> operation.method().equals(exchange.method()) || exchange.status() == 405)
                .forEach(operation -> SEEN.add(operation + " " + exchange.status()));
    }
}
