package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.chain.RowJson.RowText;
import dev.agentpolicy.domain.event.chain.SignedHead;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a chain that is to be verified, oldest first.
 *
 * @param rows the rows up to the first that cannot be read
 * @param unreadable what is wrong with the next row, or with the head or cursor; null if all could be read
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

    /**
     * Thrown for JSON that readers understand in several ways: with a member twice, half of a surrogate pair, or other numbers
     * than plain integers. Every verifier reports a chain with such a text as broken.
     */
    static final class OutsideProfile extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private OutsideProfile(String what) {
            super(what);
        }
    }

    /**
     * Parses a JSON text: a page or a single row.
     *
     * @param depth how deep it is nested in its file
     */
    static Page read(byte[] json, String source, int depth) {
        Page page = readFast(json, source, depth);
        return page == null ? read(document(json, source, depth)) : page;
    }

    /**
     * Reads a page or a single row that is written exactly as the service writes it, several times as fast as any other;
     * null when it is written in another way.
     */
    private static @Nullable Page readFast(byte[] json, String source, int depth) {
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
        Page rest = read(document(others, source, depth));
        return new Page(rows, rest.unreadable, rest.head, rest.nextCursor, rest.erasures);
    }

    /** The same of a text that was read. */
    static Page read(Document document) {
        if (!document.members().containsKey("events")) {
            return of(List.of(document), null, null, List.of(), null);
        }
        Object sent = document.get("erasures");
        if (!(document.get("events") instanceof List<?> items) || sent != null && !(sent instanceof List<?>)) {
            return new Page(List.of(), "The page is malformed.", null, null);
        }
        String wrong = null;
        Object cursor = document.get("nextCursor");
        if (cursor != null && !(cursor instanceof String text && !text.isEmpty())) {
            wrong = "The cursor is malformed: It must be a text that is not empty.";
        }
        Reading<SignedHead> head = head(document.get("head"));
        if (document.get("head") != null && !head.isRead()) {
            wrong = "The head is malformed: " + what(head.problems());
        }
        List<Erasure> erasures = erasures(sent instanceof List<?> list ? list : List.of());
        String next = cursor instanceof String text ? text : null;
        return of(items, head.isRead() ? head.orElseThrow() : null, next, erasures, wrong);
    }

    static Reading<SignedHead> head(@Nullable Object sent) {
        return sent instanceof Document document
                ? SignedHead.read(document)
                : Reading.wrong(List.of(new Problem("", "It must be an object.")));
    }

    /**
     * Reads one JSON object.
     *
     * @throws CannotVerify when there is none
     * @throws OutsideProfile when it can be understood in several ways
     */
    static Document document(byte[] json, String source, int depth) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(json))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new CannotVerify("What " + source + " holds is not UTF-8.", malformed);
        }
        return Document.parseExactly(text, depth).fold(document -> document, problems -> {
            if (!problems.get(0).field().isEmpty()) {
                throw new OutsideProfile(what(problems));
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
            List<?> items,
            @Nullable SignedHead head,
            @Nullable String nextCursor,
            List<Erasure> erasures,
            @Nullable String wrong) {
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
        return new Page(rows, wrong, head, nextCursor, erasures);
    }
}
