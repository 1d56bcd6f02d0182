package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a caller takes, and what it has already. */
public final class RequestHeaders {
    /** The entity tag that stands for any version. */
    public static final String ANY = "*";

    private static final String WEAK = "W/";

    /** A weight of 0, with which a caller refuses a type. */
    private static final Pattern REFUSED = Pattern.compile(".*;\\s*q=0(\\.0*)?\\s*(;.*)?");

    private RequestHeaders() {}

    /** Whether {@code Accept} (RFC 9110, section 12.5.1) names a type; wildcards name none. */
    public static boolean accepts(Context ctx, String type) {
        return taken(ctx).anyMatch(type::equals);
    }

    /** Whether a type is the first that {@code Accept} names. */
    public static boolean prefers(Context ctx, String type) {
        return taken(ctx).findFirst().filter(type::equals).isPresent();
    }

    private static Stream<String> taken(Context ctx) {
        String accepted = ctx.header("Accept");
        return accepted == null
                ? Stream.empty()
                : Arrays.stream(accepted.toLowerCase(Locale.ROOT).split(",", -1))
                        .filter(range -> !REFUSED.matcher(range).matches())
                        .map(range -> range.split(";", 2)[0].strip());
    }

    /**
     * The first entity tag of {@code If-None-Match} (RFC 9110, section 13.1.2) that stands for the current version, as it was sent; {@code *} stands for any version. If
     * there is one, the answer is 304.
     *
     * @param isCurrent takes a tag in its quotes, without the prefix of weak ones
     */
    public static Optional<String> ifNoneMatch(Context ctx, Predicate<String> isCurrent) {
        return Collections.list(ctx.req().getHeaders("If-None-Match")).stream()
                .flatMap(header -> Stream.of(header.split(",")))
                .map(String::trim)
                .filter(tag ->
                        tag.equals(ANY) || isCurrent.test(tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag))
                .findFirst();
    }
}
