package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.event.chain.RowJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A page as JSON text. Its rows are written once and can be sent without being parsed again.
 *
 * @param rows in UTF-8, separated by commas; not a copy, because pages are large, so callers must not change it
 * @param nextCursor of the next page; null when this page reached the end of the chain
 * @param erasures separated by commas; empty when no row of the page was erased
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record SignedPage(byte[] rows, @Nullable String nextCursor, String erasures) {
    private static final int TYPICAL_ROW_LENGTH = 1500;

    /** Writes a page. */
    public static SignedPage of(EventPage page) {
        String rows = joined(page.rows(), RowJson::append);
        String erasures = joined(page.erasures(), (out, erasure) -> erasure.appendJson(out));
        return new SignedPage(rows.getBytes(StandardCharsets.UTF_8), page.nextCursor(), erasures);
    }

    private static <T> String joined(List<T> items, BiConsumer<StringBuilder, T> append) {
        StringBuilder out = new StringBuilder(items.size() * TYPICAL_ROW_LENGTH);
        for (T item : items) {
            if (out.length() > 0) {
                out.append(',');
            }
            append.accept(out, item);
        }
        return out.toString();
    }
}
