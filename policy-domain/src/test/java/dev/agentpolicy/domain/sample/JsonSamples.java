package dev.agentpolicy.domain.sample;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Document.Unreadable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses JSON into a {@link Document}. */
public final class JsonSamples {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonSamples() {}

    public static Document object(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            return object(parser);
        } catch (IOException broken) {
            throw new UncheckedIOException(text, broken);
        }
    }

    /** Merges the members of one object into those of another. */
    public static Document merged(Document under, Document over) {
        Map<String, Object> members = new LinkedHashMap<>(under.members());
        members.putAll(over.members());
        return new Document(members, over.repeated());
    }

    private static Document object(JsonParser parser) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        Set<String> repeated = new LinkedHashSet<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            Object value = value(parser);
            if (members.containsKey(name)) {
                repeated.add(name);
            } else {
                members.put(name, value);
            }
        }
        return new Document(members, repeated);
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }

    private static List<Object> array(JsonParser parser) throws IOException {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return items;
    }

    private static Object number(JsonParser parser) throws IOException {
        try {
            return new BigDecimal(parser.getText());
        } catch (NumberFormatException beyond) {
            return new Unreadable(BigDecimal.class, "has too many digits");
        }
    }
}
