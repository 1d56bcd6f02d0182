package dev.agentpolicy.app.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/** Makes random requests to an endpoint, valid or not, that are always complete HTTP requests. */
final class RandomRequest {
    private static final List<String> METHODS = List.of(
            "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "M".repeat(60));
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/json; charset=utf-16",
            "text/plain",
            "application/x-www-form-urlencoded",
            "",
            "multipart/form-data; boundary=x",
            "application/json, application/json",
            ";",
            "application/json;charset=\u00ff",
            "*/*");
    /** The headers that are set at random. */
    static final List<String> HEADERS = List.of(
            "X-Request-Id",
            "Idempotency-Key",
            "If-None-Match",
            "Accept",
            "Accept-Encoding",
            "Range",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-HTTP-Method-Override",
            "Cookie",
            "Origin",
            "Sec-Fetch-Site",
            "Authorization",
            "Referer",
            "Upgrade",
            "X-Forwarded-Host",
            "Forwarded",
            "Accept-Language",
            "If-Modified-Since",
            "Content-Encoding",
            "MCP-Protocol-Version");

    private final AttackedService target;
    private final RandomInput nonsense;

    RandomRequest(AttackedService target, RandomInput nonsense) {
        this.target = target;
        this.nonsense = nonsense;
    }

    /** A known method, or a random one. */
    private String method() {
        String madeUp = nonsense.random()
                .ints(12, 'A', 'Z' + 1)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        return nonsense.oneIn(2) ? nonsense.any(METHODS) : madeUp;
    }

    /** Head and body. */
    String on(Endpoint endpoint) {
        String method = nonsense.oneIn(20) ? method() : endpoint.method();
        List<String> headers = new ArrayList<>(List.of("Host: localhost"));
        identify(endpoint, headers);
        for (int i = nonsense.random().nextInt(3); i > 0; i--) {
            headers.add(nonsense.any(HEADERS) + ": " + nonsense.any(RandomInput.TEXTS));
        }
        String body = "";
        if (!endpoint.bodies().isEmpty() || nonsense.oneIn(15)) {
            body = endpoint.bodies().isEmpty() ? "{}" : nonsense.body(nonsense.any(endpoint.bodies()));
            headers.add("Content-Type: " + (nonsense.oneIn(8) ? nonsense.any(TYPES) : "application/json"));
            body = framed(body, headers);
        }
        return method + " " + path(endpoint) + query(endpoint) + " HTTP/1.1\r\n" + String.join("\r\n", headers)
                + "\r\n\r\n" + body;
    }

    private void identify(Endpoint endpoint, List<String> headers) {
        if (nonsense.oneIn(25)) {
            headers.add("Authorization: Bearer " + nonsense.bytes(target.key, 1).replaceAll("[\r\n]", ""));
            headers.add("Cookie: policy_session=" + nonsense.any(RandomInput.TEXTS));
        } else if (endpoint.isKeyed()) {
            headers.add("Authorization: Bearer " + target.key);
        } else if (endpoint.isOfUsers() && !endpoint.isAboutSessions()) {
            headers.add("Cookie: " + target.cookie());
        }
    }

    /** Mostly by its length; else in chunks. */
    private String framed(String body, List<String> headers) {
        if (!nonsense.oneIn(6)) {
            headers.add("Content-Length: " + body.length());
            return body;
        }
        headers.add("Transfer-Encoding: chunked");
        StringBuilder chunks = new StringBuilder();
        for (int at = 0; at < body.length(); ) {
            int end = Math.min(body.length(), at + 1 + nonsense.random().nextInt(body.length()));
            chunks.append(Integer.toHexString(end - at))
                    .append("\r\n")
                    .append(body, at, end)
                    .append("\r\n");
            at = end;
        }
        return chunks.append("0\r\n\r\n").toString();
    }

    private String path(Endpoint endpoint) {
        String path = endpoint.path().replaceAll("<name>", "app.js");
        while (path.contains("{")) {
            String value =
                    nonsense.oneIn(3) ? nonsense.any(List.of("1", "paper", "-1")) : nonsense.any(RandomInput.TEXTS);
            path = path.replaceFirst("\\{[a-z]+}", Matcher.quoteReplacement(value));
        }
        if (nonsense.oneIn(20)) {
            int at = nonsense.random().nextInt(path.length());
            path = path.substring(0, at)
                    + nonsense.any(List.of(
                            "/",
                            "//",
                            "/..%2f",
                            "%00",
                            ";x=y",
                            "%2f",
                            "/./",
                            "/../",
                            "\\",
                            "?",
                            "#",
                            "x".repeat(4_000)))
                    + path.substring(at);
        }
        return path;
    }

    private String query(Endpoint endpoint) {
        List<String> names = new ArrayList<>(endpoint.parameters());
        names.removeIf(name -> nonsense.oneIn(2));
        if (nonsense.oneIn(8)) {
            names.add(nonsense.any(List.of("x", "limit", "", "%6c", "a[]", "q".repeat(500))));
        }
        return names.isEmpty()
                ? ""
                : names.stream()
                        .map(name -> name + (nonsense.oneIn(20) ? "" : "=" + nonsense.any(RandomInput.TEXTS)))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** A valid request, whose bytes the caller corrupts. */
    String right(Endpoint endpoint) {
        String body = endpoint.bodies().isEmpty() ? "" : nonsense.any(endpoint.bodies());
        String path = endpoint.path().replaceAll("\\{[a-z]+}", "1");
        String session = endpoint.isAboutSessions() ? "policy_session=none" : target.cookie();
        return endpoint.method() + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + target.key
                + "\r\nCookie: " + session + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    static boolean isHead(String request) {
        return request.startsWith("HEAD ");
    }

    static String shown(String request) {
        String text = request.length() > 3_000 ? request.substring(0, 3_000) + "..." : request;
        return text.replace("\r\n", "\n").replaceAll("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]", "?");
    }
}
