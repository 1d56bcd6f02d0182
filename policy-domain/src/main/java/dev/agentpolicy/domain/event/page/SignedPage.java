package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page as it goes on the wire. Its rows stay as they were signed, so whoever passes them on has no need to read them. */
public final class SignedPage {
    private static final int USUAL_ROW = 1500;

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
        StringBuilder out = new StringBuilder(rows.size() * USUAL_ROW);
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

    /** The rows, with commas between them. Not a copy, since pages are large: nobody may change it. */
    public byte[] rows() {
        return rows;
    }

    /** Where the next page begins; null only when this page reached the end. */
    public @Nullable String nextCursor() {
        return nextCursor;
    }

    /** The evidence of erasures, with commas between the entries; empty when no row of the page was erased. */
    public String erasures() {
        return erasures;
    }
}
