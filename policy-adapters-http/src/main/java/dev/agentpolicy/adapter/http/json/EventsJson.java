package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.event.RowJson;
import dev.agentpolicy.domain.usecase.ReadEvents.Pages;
import java.util.List;

/** A page of the signed chain on the wire (docs/reference/events.md); its rows are spliced in as they were signed. */
public final class EventsJson {
    private static final int USUAL_ROW = 1500;

    private EventsJson() {}

    public static void write(JsonWriter out, Pages pages) {
        out.raw("events", rows(pages.page().rows()))
                .text("nextCursor", pages.page().nextCursor());
        StringBuilder head = new StringBuilder();
        pages.head().appendJson(head);
        out.raw("head", head.toString());
    }

    private static String rows(List<PolicyEvent> rows) {
        StringBuilder text = new StringBuilder(2 + rows.size() * USUAL_ROW).append('[');
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            RowJson.append(text, rows.get(i));
        }
        return text.append(']').toString();
    }
}
