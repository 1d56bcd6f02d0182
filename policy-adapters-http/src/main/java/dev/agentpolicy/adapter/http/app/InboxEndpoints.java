package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.domain.usecase.request.InboxItem;
import dev.agentpolicy.domain.usecase.request.ReadInbox;
import java.util.List;

/** Answers with what needs the owner (docs/reference/app-api.md, The inbox). */
record InboxEndpoints(ReadInbox inbox) {
    void read(AppCall call) {
        List<InboxItem> items = inbox.read(call.user());
        call.answer(out -> out.integer("count", items.size()).array("items", items, InboxEndpoints::item));
    }

    void done(AppCall call) {
        Body.readNone(call.ctx());
        call.answerNothing(inbox.done(call.user(), call.ctx().pathParam("id")));
    }

    private static void item(JsonWriter out, InboxItem item) {
        out.text("id", item.id())
                .text("kind", item.kind().wireName())
                .instant("since", item.since())
                .text("severity", item.severity().wireName())
                .text("title", item.title())
                .text("subject", item.subject())
                .text("href", item.href())
                .texts("actions", item.actions(), InboxItem.Action::wireName);
    }
}
