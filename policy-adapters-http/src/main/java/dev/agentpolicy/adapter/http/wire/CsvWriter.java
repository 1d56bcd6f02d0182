package dev.agentpolicy.adapter.http.wire;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of comma-separated values (RFC 4180). A cell that a spreadsheet would take for a formula begins with an
 * apostrophe.
 */
public final class CsvWriter {
    private static final String FORMULA = "=+-@\t\r";
    private static final String QUOTED = "\",\r\n";

    private final Writer out;

    public CsvWriter(Writer out) {
        this.out = out;
    }

    /** Writes a row; an absent cell is empty. */
    public void row(List<@Nullable String> cells) throws IOException {
        String separator = "";
        for (String cell : cells) {
            out.append(separator).append(cell == null ? "" : quoted(defused(cell)));
            separator = ",";
        }
        out.append("\r\n");
    }

    private static String defused(String cell) {
        return !cell.isEmpty() && FORMULA.indexOf(cell.charAt(0)) >= 0 ? "'" + cell : cell;
    }

    private static String quoted(String cell) {
        boolean isPlain = cell.chars().noneMatch(c -> QUOTED.indexOf(c) >= 0);
        return isPlain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
