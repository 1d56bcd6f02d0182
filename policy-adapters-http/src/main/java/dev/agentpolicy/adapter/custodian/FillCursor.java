package dev.agentpolicy.adapter.custodian;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * A place in the fills of an account, in the order of their time at the broker.
 *
 * <p>A fill can become visible after a later one. To miss none, read from a time before the last one that was seen, and
 * ignore fills whose id is known.
 */
public final class FillCursor {
    private final String query;

    private FillCursor(String query) {
        this.query = query;
    }

    /** Before the first fill of the account. */
    public static FillCursor start() {
        return new FillCursor("");
    }

    /** Before the first fill that is later than a time of the broker. */
    public static FillCursor since(Instant time) {
        return new FillCursor("&after=" + encode(time.toString()));
    }

    /** Behind a fill. */
    public static FillCursor after(String fillId) {
        return new FillCursor("&page_token=" + encode(fillId));
    }

    String query() {
        return query;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "FillCursor[" + query + "]";
    }
}
