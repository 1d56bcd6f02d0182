package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a chain as {@code GET /events} returns it (docs/reference/events.md). It proves nothing before a
 * {@link ChainVerifier} has checked it.
 *
 * @param rows in ascending order, unfiltered
 * @param erasures evidence for rows without a payload
 * @param head the signed end of the chain, null when the page has none
 * @param nextCursor of the next page, null on the last page
 */
public record ChainPage(
        List<PolicyEvent> rows,
        List<Erasure> erasures,
        @Nullable SignedHead head,
        @Nullable String nextCursor) {
    public ChainPage {
        rows = List.copyOf(rows);
        erasures = List.copyOf(erasures);
    }

    /** Parses the JSON text of a page. */
    public static Reading<ChainPage> parse(String json) {
        return Document.parseExactly(json, 0).then(ChainPage::read);
    }

    /** Reads a page. Unknown members are ignored. */
    public static Reading<ChainPage> read(Document page) {
        List<Problem> problems = new ArrayList<>();
        page.repeated().forEach(name -> problems.add(new Problem(name, name + " appears more than once.")));
        if (!(page.get("events") instanceof List<?>)) {
            problems.add(new Problem("events", "events must be an array."));
        }
        List<PolicyEvent> rows = list(page, "events", RowJson::read, problems);
        List<Erasure> erasures = list(page, "erasures", Erasure::read, problems);
        SignedHead head = page.get("head") == null ? null : item(page.get("head"), "head", SignedHead::read, problems);
        Object cursor = page.get("nextCursor");
        if (cursor != null && !(cursor instanceof String text && !text.isEmpty())) {
            problems.add(new Problem("nextCursor", "nextCursor must be null or a text that is not empty."));
        }
        return problems.isEmpty()
                ? Reading.of(new ChainPage(rows, erasures, head, cursor instanceof String text ? text : null))
                : Reading.wrong(problems);
    }

    private static <T> List<T> list(
            Document page, String name, Function<Document, Reading<T>> reader, List<Problem> problems) {
        List<?> sent = page.get(name) instanceof List<?> list ? list : List.of();
        List<T> items = new ArrayList<>(sent.size());
        for (int i = 0; i < sent.size() && problems.isEmpty(); i++) {
            T item = item(sent.get(i), name + "[" + i + "]", reader, problems);
            if (item != null) {
                items.add(item);
            }
        }
        return items;
    }

    private static <T> @Nullable T item(
            @Nullable Object sent, String field, Function<Document, Reading<T>> reader, List<Problem> problems) {
        if (!(sent instanceof Document document)) {
            problems.add(new Problem(field, field + " must be an object."));
            return null;
        }
        return reader.apply(document).<@Nullable T>fold(value -> value, wrong -> {
            wrong.forEach(it -> problems.add(new Problem(field + "." + it.field(), field + "." + it.message())));
            return null;
        });
    }
}
