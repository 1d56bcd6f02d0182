package dev.agentpolicy.openapi;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request and its response, with the parts that the interface description covers.
 *
 * @param method in upper case
 * @param path with or without a query
 * @param asked headers of the request; names ignore case
 * @param sent body of the request; empty for none, null when it is not known as text
 * @param status status of the response
 * @param headers headers of the response; names ignore case
 * @param body body of the response; empty for none
 */
public record Exchange(
        String method,
        String path,
        Map<String, List<String>> asked,
        @Nullable String sent,
        int status,
        Map<String, List<String>> headers,
        String body) {

    public Exchange {
        asked = byAnyCase(asked);
        headers = byAnyCase(headers);
    }

    /** An exchange of which only the response is known. */
    public Exchange(String method, String path, int status, Map<String, List<String>> headers, String body) {
        this(method, path, Map.of(), null, status, headers, body);
    }

    /** @param sent body of the request; empty for none, null if it is not known as text */
    public static Exchange of(HttpResponse<String> response, @Nullable String sent) {
        String query = response.uri().getRawQuery();
        return new Exchange(
                response.request().method(),
                response.uri().getRawPath() + (query == null ? "" : "?" + query),
                response.request().headers().map(),
                sent,
                response.statusCode(),
                response.headers().map(),
                response.body());
    }

    String pathWithoutQuery() {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    /** The query string, not decoded. */
    String query() {
        int query = path.indexOf('?');
        return query < 0 ? "" : path.substring(query + 1);
    }

    boolean isAccepted() {
        return status / 100 == 2;
    }

    private static Map<String, List<String>> byAnyCase(Map<String, List<String>> headers) {
        Map<String, List<String>> byAnyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> byAnyCase.put(name, List.copyOf(values)));
        return byAnyCase;
    }
}
