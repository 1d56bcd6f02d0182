package dev.agentpolicy.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints Markdown. */
final class Report {
    private final PrintStream out = System.out;

    void title(String title) {
        out.println("\n## " + title + "\n");
    }

    void line(String text) {
        out.println(text);
    }

    void head(String... columns) {
        row(columns);
        out.println("|" + "---|".repeat(columns.length));
    }

    void row(String... cells) {
        out.println(List.of(cells).stream().collect(Collectors.joining(" | ", "| ", " |")));
        out.flush();
    }

    static String whole(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    static String two(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }
}
