package dev.agentpolicy.adapter.http.wire;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of comma-separated values (RFC 4180). A cell that a spreadsheet would take for a formula begins with an
 * apostrophe. Spreadsheets may also cut cells at semicolons and take full-width signs for the narrow ones, so a cell with a
 * semicolon is quoted, and what follows one, or a line break, counts as the beginning of a cell.
 */
public final class CsvWriter {
    private static final Pattern FORMULA = Pattern.compile(
            "(^|[;\\t\\r\\n])(?=[ \\u00a0\\u3000\"]*[=+@\\-\\uff1d\\uff0b\\uff0d\\uff20\\u2212])|^(?=[\\t\\r])");
    private static final String QUOTED = "\",;\r\n";

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
        return FORMULA.matcher(cell).replaceAll("$1'");
    }

    private static String quoted(String cell) {
        boolean isPlain = cell.chars().noneMatch(c -> QUOTED.indexOf(c) >= 0);
        return isPlain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
