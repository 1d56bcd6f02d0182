package dev.agentpolicy.adapter.http.wire;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the media type of a body (RFC 9110, sections 8.3 and 8.4). */
final class MediaType {
    private static final String JSON = "application/json";
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final String QUOTED = "\"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*+\"";
    private static final String PARAMETER = "(" + TOKEN + ")=(" + TOKEN + "|" + QUOTED + ")";
    private static final Pattern WHOLE =
            Pattern.compile("(?i:" + JSON + ")(?:[ \\t]*+;[ \\t]*+(?:" + PARAMETER + ")?+)*+[ \\t]*+");
    private static final Pattern EACH = Pattern.compile(";[ \\t]*+" + PARAMETER);
    private static final Pattern UTF_8 = Pattern.compile("\"?utf-?8\"?", Pattern.CASE_INSENSITIVE);

    private MediaType() {}

    /** Whether a body is JSON in UTF-8 without a content coding. */
    static boolean isPlainJson(HttpServletRequest request) {
        return isJson(request.getHeader("Content-Type"))
                && (request.getHeader("Content-Encoding") == null || isIdentity(request));
    }

    private static boolean isIdentity(HttpServletRequest request) {
        return Collections.list(request.getHeaders("Content-Encoding")).stream()
                .flatMap(header -> Stream.of(header.split(",", -1)))
                .allMatch(coding -> coding.strip().toLowerCase(Locale.ROOT).equals("identity"));
    }

    private static boolean isJson(@Nullable String contentType) {
        return JSON.equals(contentType)
                || contentType != null
                        && WHOLE.matcher(contentType).matches()
                        && EACH.matcher(contentType)
                                .results()
                                .filter(parameter -> parameter.group(1).equalsIgnoreCase("charset"))
                                .allMatch(charset ->
                                        UTF_8.matcher(charset.group(2)).matches());
    }
}
