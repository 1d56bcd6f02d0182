package dev.agentpolicy.domain.event.canonical;

import dev.agentpolicy.domain.document.Document;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The canonical text of a document, which is hashed and signed: a profile of RFC 8785 in which every document has
 * exactly one text.
 *
 * <p>Member names are {@code [A-Za-z][A-Za-z0-9_]*}; strings are well-formed Unicode without control characters;
 * numbers are integers of at most 2^53-1 (decimals are strings, see {@link
 * dev.agentpolicy.domain.document.Decimals#text}); objects and arrays nest at most 8 deep; the text has at most 64 KiB.
 * Anything outside of the profile is refused, never repaired.
 */
public final class CanonicalForm {
    /** The largest integer every JSON reader holds exactly: 2^53-1. */
    public static final long MAX_INTEGER = (1L << 53) - 1;

    public static final int MAX_DEPTH = 8;
    public static final int MAX_BYTES = 64 * 1024;

    private static final int DEFAULT_LENGTH = 1_024;

    private CanonicalForm() {}

    /**
     * The canonical text of an object.
     *
     * @throws IllegalArgumentException when a value lies outside of the profile
     */
    public static String write(Map<String, @Nullable Object> members) {
        StringBuilder out = new StringBuilder(DEFAULT_LENGTH);
        CanonicalWriter.object(out, members, 1);
        requireSize(out);
        return out.toString();
    }

    /**
     * The canonical text of a document.
     *
     * @throws IllegalArgumentException when a value lies outside of the profile or a name is repeated
     */
    public static String write(Document document) {
        StringBuilder out = new StringBuilder(DEFAULT_LENGTH);
        CanonicalWriter.value(out, "the document", document, 0);
        requireSize(out);
        return out.toString();
    }

    /** The canonical text of a document that is stored but never signed; it may be longer than 64 KiB. */
    public static String writeStored(Map<String, @Nullable Object> members) {
        StringBuilder out = new StringBuilder(DEFAULT_LENGTH);
        CanonicalWriter.object(out, members, 1);
        return out.toString();
    }

    /**
     * Reads what {@link #writeStored} wrote.
     *
     * @throws IllegalArgumentException when the text is not the canonical text of an object in the profile
     */
    public static Document readStored(String text) {
        int end = CanonicalScan.object(text, 0, 1);
        if (end != text.length()) {
            throw new IllegalArgumentException("Not canonical at character " + ((end < 0 ? ~end : end) + 1) + ".");
        }
        return Document.parse(text).orElseThrow();
    }

    /**
     * Reads canonical text and nothing else: {@link #write(Document)} gives back the same text.
     *
     * @throws IllegalArgumentException when the text is not the canonical text of an object in the profile
     */
    public static Document read(String text) {
        requireSize(text);
        return readStored(text);
    }

    /** Whether {@link #read} accepts a text. Much faster, since it makes no document. */
    public static boolean isCanonical(String text) {
        return isSized(text) && end(text, 0) == text.length();
    }

    /** The index after the canonical object that begins at an index of a text, or -1 when none begins there. */
    public static int end(String text, int from) {
        return Math.max(-1, CanonicalScan.object(text, from, 1));
    }

    private static void requireSize(CharSequence text) {
        if (!isSized(text)) {
            throw new IllegalArgumentException("A signed document must have at most " + MAX_BYTES + " bytes.");
        }
    }

    private static boolean isSized(CharSequence text) {
        int length = text.length();
        return length <= MAX_BYTES / 3 || length <= MAX_BYTES && utf8Length(text) <= MAX_BYTES;
    }

    /** Bytes in UTF-8; a surrogate pair is two characters of two bytes each. */
    private static int utf8Length(CharSequence text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
