package dev.agentpolicy.app.hostile.edge;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Texts at the edges of a schema: its words, its pattern, its lengths in characters, its format. */
final class TextEdges {
    private static final String KEY = "\ud83d\udd11";
    private static final List<String> UUIDS = List.of(
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF",
            "0000000000000000-0000-0000-0000-0000",
            "00000000-0000-0000-0000-00000000000",
            "00000000-0000-0000-0000-0000000000000",
            "0-0-0-0-0",
            "g0000000-0000-0000-0000-000000000000",
            "{00000000-0000-0000-0000-000000000000}",
            "00000000000000000000000000000000");
    private static final List<String> MOMENTS = List.of(
            "2026-11-21T09:40:00Z",
            "2026-11-21T09:40:00.123456789Z",
            "2026-11-21t09:40:00z",
            "2026-11-21T00:00:00+14:00",
            "2026-11-21T23:59:59-12:00",
            "2024-02-29T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-11-31T00:00:00Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T09:60:00Z",
            "2026-11-21T09:40:61Z",
            "2026-11-21T09:40:00",
            "2026-11-21T09:40Z",
            "2026-11-21T09:40:00.Z",
            "2026-11-21T09:40:00+24:00",
            "2026-11-21T09:40:00+0100",
            "2026-11-21",
            "1795254000",
            "+2026-11-21T09:40:00Z",
            "10000-01-01T00:00:00Z");

    private TextEdges() {}

    /** The first one is right. */
    static Set<String> of(JsonNode schema) {
        Set<String> texts = new LinkedHashSet<>();
        schema.path("enum").forEach(word -> words(word.asString(), texts));
        if (!texts.isEmpty()) {
            return texts;
        }
        switch (schema.path("format").asString("")) {
            case "uuid" -> texts.addAll(UUIDS);
            case "date-time" -> texts.addAll(MOMENTS);
            default -> {}
        }
        String pattern = schema.path("pattern").asString(schema.has("format") ? "" : "^[^]*$");
        int least = schema.path("minLength").asInt(0);
        if (!pattern.isEmpty()) {
            lengths(pattern, Math.max(least, 1), texts);
            texts.addAll(PatternTexts.of(pattern, Math.max(least, 2)));
            lengths(pattern, least - 1, texts);
            lengths(pattern, schema.path("maxLength").asInt(-1), texts);
            lengths(pattern, schema.path("maxLength").asInt(-2) + 1, texts);
        }
        texts.add("");
        return texts;
    }

    private static void words(String word, Set<String> texts) {
        texts.addAll(List.of(word));
        texts.addAll(List.of(word.toUpperCase(Locale.ROOT), word.toLowerCase(Locale.ROOT), word + " ", word + "x"));
        texts.add(word.substring(1));
    }

    /** Texts of as many characters, some of which are two units of UTF-16. */
    private static void lengths(String pattern, int length, Set<String> texts) {
        if (length < 0) {
            return;
        }
        IntStream.rangeClosed(Math.max(length - 3, 0), length)
                .boxed()
                .flatMap(many -> PatternTexts.of(pattern, many).stream())
                .filter(text -> text.codePointCount(0, text.length()) == length)
                .limit(6)
                .forEach(texts::add);
        texts.add(KEY.repeat(length));
    }
}
