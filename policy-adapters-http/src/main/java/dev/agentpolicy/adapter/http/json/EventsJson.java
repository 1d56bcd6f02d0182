package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageWithSignedHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes a page of the signed chain (docs/reference/events.md). Rows are written as they were signed, and the other
 * members contain nothing that must be escaped. So the page is assembled as bytes, because pages are large and should
 * be copied as little as possible.
 */
public final class EventsJson {
    private static final byte[] BEGIN = utf8("{\"events\":[");
    private static final int BESIDE_ROWS = 700;

    private EventsJson() {}

    /** The UTF-8 bytes of a page. */
    public static byte[] bytes(PageWithSignedHead pages) {
        byte[] rows = pages.page().rows();
        byte[] end = utf8(end(pages));
        return ByteBuffer.allocate(BEGIN.length + rows.length + end.length)
                .put(BEGIN)
                .put(rows)
                .put(end)
                .array();
    }

    /** A signed head as JSON text. */
    public static String head(SignedHead head) {
        StringBuilder out = new StringBuilder(BESIDE_ROWS);
        head.appendJson(out);
        return out.toString();
    }

    private static String end(PageWithSignedHead pages) {
        String cursor = pages.page().nextCursor();
        String erasures = pages.page().erasures();
        StringBuilder out = new StringBuilder(BESIDE_ROWS + erasures.length())
                .append("],\"nextCursor\":")
                .append(cursor == null ? null : '"' + cursor + '"')
                .append(",\"erasures\":[")
                .append(erasures)
                .append("],\"head\":");
        pages.head().appendJson(out);
        return out.append('}').toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
