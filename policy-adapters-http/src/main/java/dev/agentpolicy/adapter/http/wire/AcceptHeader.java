package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The media types that a caller names in {@code Accept} (RFC 9110, section 12.5.1). Wildcards name none. */
public final class AcceptHeader {
    /** A weight of 0, with which a caller refuses a type. */
    private static final Pattern REFUSED = Pattern.compile(".*;\\s*q=0(\\.0*)?\\s*(;.*)?");

    private AcceptHeader() {}

    /** Whether a type is among those that the caller takes. */
    public static boolean names(Context ctx, String type) {
        return taken(ctx).anyMatch(type::equals);
    }

    /** Whether a type is the first of those that the caller takes. */
    public static boolean isFirst(Context ctx, String type) {
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
}
