package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads pages that are written exactly as the service writes them, several times as fast as {@link Page#read}. */
final class FastPageReader {
    private static final String BEGIN = "{\"events\":[";

    private FastPageReader() {}

    /** The page or single row, or null when it is written in any other way. */
    static @Nullable Page read(byte[] json, String source) {
        String text = RowText.bytes(json);
        if (!text.startsWith(BEGIN)) {
            RowText single = RowText.at(text, 0);
            return single == null || single.end() < text.length()
                    ? null
                    : new Page(List.of(single.row()), null, null, null);
        }
        List<PolicyEvent> rows = new ArrayList<>();
        int end = rows(text, rows);
        if (end < 0) {
            return null;
        }
        Page rest = Page.read(Page.document(rest(text, end), source), source);
        return new Page(rows, rest.unreadable(), rest.head(), rest.nextCursor(), rest.erasures());
    }

    /** The page without its rows. */
    private static byte[] rest(String text, int end) {
        return (BEGIN + text.substring(end)).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The place of the bracket after the rows, negative when there is something else among them. */
    private static int rows(String text, List<PolicyEvent> rows) {
        int place = BEGIN.length() - 1;
        do {
            RowText row = RowText.at(text, place + 1);
            if (row == null) {
                return -1;
            }
            rows.add(row.row());
            place = row.end();
        } while (place < text.length() && text.charAt(place) == ',');
        return place < text.length() && text.charAt(place) == ']' ? place : -1;
    }
}
