package dev.agentpolicy.adapter.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.PlainText;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body strictly: one JSON object in well-formed UTF-8, nothing after it, at most {@link #MAX_DEPTH} levels
 * deep.
 *
 * <p>Jackson's tree would drop repeated names and round numbers that do not fit. This reader keeps both for the readers
 * of fields, which report them together with all other problems. So it is written by hand on Jackson's parser.
 */
public final class JsonReader {
    public static final int MAX_DEPTH = 32;

    /** Characters of a number. No amount needs a third of this, and arithmetic on longer ones is expensive. */
    private static final int MAX_NUMBER_LENGTH = 128;

    /** The depth of items in the lists of the root object. */
    private static final int ITEM_DEPTH = 2;

    private static final String BROKEN_TEXT = "The body has half of a surrogate pair in a string.";
    private static final Document.Unreadable TOO_LONG =
            new Document.Unreadable(BigDecimal.class, "has too many digits");
    private static final Document.Unreadable TOO_DEEP =
            new Document.Unreadable(Document.class, "is nested deeper than " + MAX_DEPTH + " levels");
    private static final Document.Unreadable HALF_A_PAIR =
            new Document.Unreadable(String.class, "has half of a surrogate pair in it");

    /** Names are not interned: clients must not be able to fill or slow down a table that all calls share. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final String text;
    private final JsonParser parser;
    private final @Nullable Map<Document, String> sources;

    private JsonReader(String text, JsonParser parser, @Nullable Map<Document, String> sources) {
        this.text = text;
        this.parser = parser;
        this.sources = sources;
    }

    /** Reads the object in a body, or the reason why there is none. */
    public static Reading<Document> read(byte[] body) {
        return read(body, null);
    }

    /**
     * As above. With sources, an object in a list of the root object that is nested too deeply, or contains half a surrogate
     * pair, is invalid by itself: it contains an unreadable value.
     *
     * @param sources takes the text of each object in a list of the root object, by identity; null if it is not needed
     */
    static Reading<Document> read(byte[] body, @Nullable Map<Document, String> sources) {
        if (body.length == 0) {
            return wrong("The body is empty; it must be a JSON object.");
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return wrong("The body is not well-formed UTF-8.");
        }
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return wrong("The body must be a JSON object.");
            }
            Document document = new JsonReader(text, parser, sources).object(0);
            return parser.nextToken() == null
                    ? Reading.of(document)
                    : wrong("The body has text after its JSON object.");
        } catch (Beyond whole) {
            return wrong(String.valueOf(whole.getMessage()));
        } catch (IOException malformed) {
            return wrong("The body is not valid JSON.");
        }
    }

    private Document object(int depth) throws IOException {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        Set<String> repeated = new LinkedHashSet<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            String name = parser.currentName();
            if (!PlainText.isWellFormed(name)) {
                throw new Beyond(BROKEN_TEXT);
            }
            parser.nextToken();
            Object value = value(depth + 1);
            if (members.containsKey(name)) {
                repeated.add(name);
            } else {
                members.put(name, value);
            }
        }
        Document document = new Document(members, repeated);
        if (sources != null && depth == ITEM_DEPTH) {
            int end = (int) parser.currentLocation().getCharOffset();
            sources.put(document, text.substring(start, end));
        }
        return document;
    }

    private List<@Nullable Object> list(int depth) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(depth + 1));
        }
        return items;
    }

    private @Nullable Object value(int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new IOException("The text ends in the middle of a value.");
        }
        if (token.isStructStart() && depth >= MAX_DEPTH) {
            Object tooDeep = beyond(TOO_DEEP, depth, "The body is nested deeper than " + MAX_DEPTH + " levels.");
            parser.skipChildren();
            return tooDeep;
        }
        return switch (token) {
            case START_OBJECT -> object(depth);
            case START_ARRAY -> list(depth);
            case VALUE_STRING -> text(depth);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("There is no value of this kind in JSON: " + token);
        };
    }

    private Object number() throws IOException {
        if (parser.getTextLength() > MAX_NUMBER_LENGTH) {
            return TOO_LONG;
        }
        try {
            return new BigDecimal(parser.getText());
        } catch (NumberFormatException beyond) {
            return TOO_LONG;
        }
    }

    private Object text(int depth) throws IOException {
        String text = parser.getText();
        return PlainText.isWellFormed(text) ? text : beyond(HALF_A_PAIR, depth, BROKEN_TEXT);
    }

    /** Returns an unreadable value within an item. Anywhere else it makes the whole body invalid. */
    private Object beyond(Document.Unreadable value, int depth, String ofWhole) throws Beyond {
        if (sources != null && depth >= ITEM_DEPTH) {
            return value;
        }
        throw new Beyond(ofWhole);
    }

    private static <T> Reading<T> wrong(String message) {
        return Reading.wrong(List.of(new Problem("", message)));
    }

    /** Signals well-formed JSON that this service does not accept. */
    private static final class Beyond extends IOException {
        private static final long serialVersionUID = 1;

        Beyond(String message) {
            super(message);
        }
    }
}
