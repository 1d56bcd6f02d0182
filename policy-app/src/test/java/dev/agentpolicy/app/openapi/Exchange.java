package dev.agentpolicy.app.openapi;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One request and its answer, as far as the description speaks of them.
 *
 * @param method in upper case
 * @param path with or without a query
 * @param status of the answer
 * @param headers of the answer, by name in whatever case
 * @param body of the answer, empty for none
 */
public record Exchange(String method, String path, int status, Map<String, List<String>> headers, String body) {

    public Exchange {
        Map<String, List<String>> byAnyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> byAnyCase.put(name, List.copyOf(values)));
        headers = byAnyCase;
    }

    public static Exchange of(HttpResponse<String> response) {
        return new Exchange(
                response.request().method(),
                response.uri().getRawPath(),
                response.statusCode(),
                response.headers().map(),
                response.body());
    }

    String pathWithoutQuery() {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }
}
