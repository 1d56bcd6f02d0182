package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.event.RowJson;
import dev.agentpolicy.domain.usecase.ReadEvents.Pages;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A page of the signed chain on the wire (docs/reference/events.md). Its rows are as they were signed and nothing else in
 * it has a character to escape, so it is put together as text: pages are large, and are copied as rarely as can be.
 */
public final class EventsJson {
    private static final int USUAL_ROW = 1500;

    private EventsJson() {}

    /** The UTF-8 bytes of a page. */
    public static byte[] bytes(Pages pages) {
        List<PolicyEvent> rows = pages.page().rows();
        StringBuilder out = new StringBuilder(500 + rows.size() * USUAL_ROW).append("{\"events\":[");
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            RowJson.append(out, rows.get(i));
        }
        String cursor = pages.page().nextCursor();
        out.append("],\"nextCursor\":")
                .append(cursor == null ? null : '"' + cursor + '"')
                .append(",\"head\":");
        pages.head().appendJson(out);
        return out.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }
}
