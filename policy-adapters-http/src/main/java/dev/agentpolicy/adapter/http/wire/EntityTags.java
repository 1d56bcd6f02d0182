package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The entity tags that a client already has (RFC 9110, section 13.1.2, If-None-Match). */
public final class EntityTags {
    public static final String ANY = "*";
    private static final String WEAK = "W/";

    private EntityTags() {}

    /**
     * The first tag of a call that stands for the current version, as it was sent; {@code *} stands for any version. If
     * there is one, the answer is 304.
     *
     * @param isCurrent takes a tag in its quotes, without the prefix of weak ones
     */
    public static Optional<String> match(Context ctx, Predicate<String> isCurrent) {
        return Collections.list(ctx.req().getHeaders("If-None-Match")).stream()
                .flatMap(header -> Stream.of(header.split(",")))
                .map(String::trim)
                .filter(tag ->
                        tag.equals(ANY) || isCurrent.test(tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag))
                .findFirst();
    }
}
