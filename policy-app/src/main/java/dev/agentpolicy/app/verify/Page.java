package dev.agentpolicy.app.verify;

import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.chain.RowJson.RowText;
import dev.agentpolicy.domain.event.chain.SignedHead;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a chain that is to be verified, oldest first.
 *
 * @param rows the rows up to the first that cannot be read
 * @param unreadable what is wrong with the next row; null if all could be read
 * @param head the head of the chain; null if the page has none
 * @param nextCursor cursor of the next page; null if there is none
 * @param erasures evidence for the rows without a payload; unreadable entries are left out
 */
record Page(
        List<PolicyEvent> rows,
        @Nullable String unreadable,
        @Nullable SignedHead head,
        @Nullable String nextCursor,
        List<Erasure> erasures) {

    /** The same without evidence of erasures. */
    Page(List<PolicyEvent> rows, @Nullable String unreadable, @Nullable SignedHead head, @Nullable String nextCursor) {
        this(rows, unreadable, head, nextCursor, List.of());
    }

    private static final String BEGIN = "{\"events\":[";
    private static final Pattern WHOLE_PAIR =
            Pattern.compile("\\\\\\\\|\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}");
    private static final Pattern HALF_PAIR = Pattern.compile("\\\\u[dD][89a-fA-F]");

    /**
     * Thrown for a text with half of a surrogate pair, which some JSON readers drop and others replace. Every verifier
     * reports a chain with such a text as broken.
     */
    static final class BrokenUnicode extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private BrokenUnicode() {
            super("A text has broken Unicode.");
        }
    }

    /** Parses a JSON text: a page or a single row. */
    static Page read(byte[] json, String source) {
        Page page = readFast(json, source);
        return page == null ? read(document(json, source), source) : page;
    }

    /**
     * Reads a page or a single row that is written exactly as the service writes it, several times as fast as any other;
     * null when it is written in another way.
     */
    private static @Nullable Page readFast(byte[] json, String source) {
        String text = RowText.bytes(json);
        if (!text.startsWith(BEGIN)) {
            RowText single = RowText.at(text, 0);
            return single == null || single.end() < text.length()
                    ? null
                    : new Page(List.of(single.row()), null, null, null);
        }
        List<PolicyEvent> rows = new ArrayList<>();
        int place = BEGIN.length() - 1;
        do {
            RowText row = RowText.at(text, place + 1);
            if (row == null) {
                return null;
            }
            rows.add(row.row());
            place = row.end();
        } while (place < text.length() && text.charAt(place) == ',');
        if (place == text.length() || text.charAt(place) != ']') {
            return null;
        }
        byte[] others = (BEGIN + text.substring(place)).getBytes(StandardCharsets.ISO_8859_1);
        Page rest = read(document(others, source), source);
        return new Page(rows, rest.unreadable, rest.head, rest.nextCursor, rest.erasures);
    }

    /** The same of a text that was read. */
    static Page read(Document document, String source) {
        if (!document.repeated().isEmpty()) {
            return new Page(List.of(), "A member comes twice.", null, null);
        }
        if (!document.members().containsKey("events")) {
            return of(List.of(document), null, null, List.of());
        }
        List<?> items = document.get("events") instanceof List<?> list ? list : List.of("no list");
        String cursor = cursor(document.get("nextCursor"), source);
        Object sent = document.get("head");
        SignedHead head = sent == null ? null : head(sent, source);
        List<?> erasures = document.get("erasures") instanceof List<?> list ? list : List.of();
        return of(items, head, cursor, erasures(erasures));
    }

    static SignedHead head(Object sent, String source) {
        Reading<SignedHead> reading = sent instanceof Document document
                ? SignedHead.read(document)
                : Reading.wrong(List.of(new Problem("", "It must be an object.")));
        return reading.fold(read -> read, problems -> {
            throw new CannotVerify("The head in " + source + " is no head: " + what(problems));
        });
    }

    private static @Nullable String cursor(@Nullable Object sent, String source) {
        if (sent == null) {
            return null;
        }
        if (sent instanceof String text && !text.isEmpty()) {
            return text;
        }
        throw new CannotVerify("The nextCursor in " + source + " is no cursor: It must be a text that is not empty.");
    }

    static Document document(byte[] json, String source) {
        return JsonReader.read(json).fold(document -> document, problems -> {
            String text = new String(json, StandardCharsets.ISO_8859_1);
            if (HALF_PAIR.matcher(WHOLE_PAIR.matcher(text).replaceAll("")).find()) {
                throw new BrokenUnicode();
            }
            throw new CannotVerify("What " + source + " holds is not readable: " + what(problems));
        });
    }

    static String what(List<Problem> problems) {
        return problems.stream().map(Problem::message).collect(Collectors.joining(" "));
    }

    /** The same page without the rows that came before. */
    Page after(long seq) {
        List<PolicyEvent> later = rows.stream().filter(row -> row.seq() > seq).toList();
        return new Page(later, unreadable, head, nextCursor, erasures);
    }

    private static List<Erasure> erasures(List<?> items) {
        List<Erasure> erasures = new ArrayList<>();
        for (Object item : items) {
            if (item instanceof Document document) {
                Erasure.read(document).fold(erasures::add, problems -> false);
            }
        }
        return erasures;
    }

    private static Page of(
            List<?> items, @Nullable SignedHead head, @Nullable String nextCursor, List<Erasure> erasures) {
        List<PolicyEvent> rows = new ArrayList<>(items.size());
        for (Object item : items) {
            Reading<PolicyEvent> row = item instanceof Document document
                    ? RowJson.read(document)
                    : Reading.wrong(List.of(new Problem("", "The row is no object.")));
            if (!row.isRead()) {
                return new Page(rows, what(row.problems()), head, nextCursor, erasures);
            }
            rows.add(row.orElseThrow());
        }
        return new Page(rows, null, head, nextCursor, erasures);
    }
}
