package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page as JSON text. Its rows are written once and can be sent without being parsed again. */
public final class SignedPage {
    private static final int TYPICAL_ROW_LENGTH = 1500;

    private final byte[] rows;
    private final @Nullable String nextCursor;
    private final String erasures;

    private SignedPage(byte[] rows, @Nullable String nextCursor, String erasures) {
        this.rows = rows;
        this.nextCursor = nextCursor;
        this.erasures = erasures;
    }

    /** Writes a page. */
    public static SignedPage of(EventPage page) {
        List<PolicyEvent> rows = page.rows();
        StringBuilder out = new StringBuilder(rows.size() * TYPICAL_ROW_LENGTH);
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            RowJson.append(out, rows.get(i));
        }
        return new SignedPage(
                out.toString().getBytes(StandardCharsets.UTF_8), page.nextCursor(), erasures(page.erasures()));
    }

    private static String erasures(List<Erasure> entries) {
        StringBuilder out = new StringBuilder();
        for (Erasure entry : entries) {
            if (out.length() > 0) {
                out.append(',');
            }
            entry.appendJson(out);
        }
        return out.toString();
    }

    /** The rows in UTF-8, separated by commas. Not a copy, because pages are large: callers must not change it. */
    public byte[] rows() {
        return rows;
    }

    /** The cursor of the next page; null when this page reached the end of the chain. */
    public @Nullable String nextCursor() {
        return nextCursor;
    }

    /** The erasures, separated by commas; empty when no row of the page was erased. */
    public String erasures() {
        return erasures;
    }
}
