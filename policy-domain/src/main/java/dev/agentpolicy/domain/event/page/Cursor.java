package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** The opaque text that names the end of a page: order and filter of the query, and the last row. */
public final class Cursor {
    private static final int MAX_LENGTH = 256;
    private static final int MAX_DIGITS = 16;

    private Cursor() {}

    public static String text(EventQuery query, long seq) {
        return Base64Url.encode((prefix(query) + seq).getBytes(StandardCharsets.UTF_8));
    }

    /** The row that a cursor names; empty unless it has this order and filter. */
    static OptionalLong read(EventQuery query, String cursor) {
        byte[] bytes = cursor.length() > MAX_LENGTH ? null : Base64Url.decode(cursor);
        String plain = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
        String prefix = prefix(query);
        return plain.startsWith(prefix) ? seq(plain.substring(prefix.length())) : OptionalLong.empty();
    }

    private static OptionalLong seq(String digits) {
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.charAt(0) != '0'
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        long seq = isNumber ? Long.parseLong(digits) : 0;
        return seq >= 1 && seq <= CanonicalForm.MAX_INTEGER ? OptionalLong.of(seq) : OptionalLong.empty();
    }

    private static String prefix(EventQuery query) {
        return "1|" + query.order().wireName()
                + "|" + query.kind().map(EventKind::wireName).orElse("")
                + "|" + query.since().map(Instants::format).orElse("")
                + "|";
    }
}
