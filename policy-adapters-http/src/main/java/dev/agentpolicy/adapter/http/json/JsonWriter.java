package dev.agentpolicy.adapter.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON member by member: decimals as plain numbers, instants as strings, absent values as null. Every decision
 * passes here, so it writes to Jackson's generator directly, without reflection or a tree.
 */
public final class JsonWriter {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private static final JsonFactory STREAMING = JsonFactory.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .build();

    private final JsonGenerator out;

    private JsonWriter(JsonGenerator out) {
        this.out = out;
    }

    /** Writes an object as UTF-8 bytes. */
    public static byte[] object(Consumer<JsonWriter> body) {
        return write(writer -> writer.members(body));
    }

    private static byte[] write(Consumer<JsonWriter> whole) {
        try (ByteArrayBuilder bytes = new ByteArrayBuilder(1024)) {
            try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
                whole.accept(new JsonWriter(out));
            }
            return bytes.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException("Writing to memory failed.", impossible);
        }
    }

    /**
     * Writes an object of any size while it is made, and neither flushes nor closes where it goes. If that fails, the
     * object is left without its end.
     */
    public static void object(Writer out, Consumer<JsonWriter> body) {
        try (JsonGenerator json = STREAMING.createGenerator(out)) {
            new JsonWriter(json).members(body);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public JsonWriter text(String name, @Nullable String value) {
        return member(name, () -> out.writeString(value));
    }

    /** Writes the text of an id, a cursor or a day. */
    public JsonWriter id(String name, @Nullable Object value) {
        return text(name, value == null ? null : value.toString());
    }

    public JsonWriter truth(String name, @Nullable Boolean value) {
        return value == null ? nothing(name) : member(name, () -> out.writeBoolean(value));
    }

    public JsonWriter number(String name, @Nullable BigDecimal value) {
        return member(name, () -> out.writeNumber(value));
    }

    public JsonWriter number(String name, @Nullable Usd value) {
        return number(name, value == null ? null : value.value());
    }

    public JsonWriter number(String name, @Nullable Fraction value) {
        return number(name, value == null ? null : value.value());
    }

    public JsonWriter number(String name, @Nullable Percent value) {
        return number(name, value == null ? null : value.value());
    }

    public JsonWriter integer(String name, @Nullable Number value) {
        return value == null ? nothing(name) : member(name, () -> out.writeNumber(value.longValue()));
    }

    public JsonWriter instant(String name, @Nullable Instant value) {
        return text(name, value == null ? null : Instants.format(value));
    }

    /** Writes null. */
    public JsonWriter nothing(String name) {
        return member(name, out::writeNull);
    }

    /** Writes a member only if there is a value. */
    public <T> JsonWriter present(String name, @Nullable T value, Member<T> writer) {
        if (value != null) {
            writer.write(this, name, value);
        }
        return this;
    }

    /** Writes a nested object only if there is one. */
    public <T> JsonWriter presentObject(String name, @Nullable T value, BiConsumer<JsonWriter, T> body) {
        return value == null ? this : object(name, value, body);
    }

    /** Writes a nested object; null if there is none. */
    public <T> JsonWriter object(String name, @Nullable T value, BiConsumer<JsonWriter, T> body) {
        return value == null ? nothing(name) : member(name, () -> members(nested -> body.accept(nested, value)));
    }

    /** Writes an array of objects. */
    public <T> JsonWriter array(String name, Iterable<T> items, BiConsumer<JsonWriter, T> each) {
        return member(name, () -> objects(items::forEach, each));
    }

    /** As above, of objects that are made while they are written. */
    public <T> JsonWriter array(String name, Stream<T> items, BiConsumer<JsonWriter, T> each) {
        return member(name, () -> objects(items::forEachOrdered, each));
    }

    /** Writes an array of strings; null if there is none. */
    public <T> JsonWriter texts(String name, @Nullable Iterable<T> items, Function<T, String> text) {
        return items == null
                ? nothing(name)
                : member(name, () -> {
                    out.writeStartArray();
                    for (T item : items) {
                        out.writeString(text.apply(item));
                    }
                    out.writeEndArray();
                });
    }

    /** Inserts JSON text as it is. */
    public JsonWriter raw(String name, String json) {
        return member(name, () -> out.writeRawValue(json));
    }

    /** Writes an array of JSON texts as they are. A text may hold several items separated by commas, or be empty. */
    public JsonWriter rawItems(String name, Stream<String> texts) {
        return member(name, () -> {
            out.writeStartArray();
            texts.filter(items -> !items.isEmpty()).forEachOrdered(items -> step(() -> out.writeRawValue(items)));
            out.writeEndArray();
        });
    }

    /** Writes a member of a {@link JsonWriter}, such as {@code JsonWriter::text}. */
    public interface Member<T> {
        JsonWriter write(JsonWriter out, String name, T value);
    }

    private interface Step {
        void run() throws IOException;
    }

    private JsonWriter member(String name, Step value) {
        return step(() -> {
            out.writeFieldName(name);
            value.run();
        });
    }

    private void members(Consumer<JsonWriter> body) {
        step(out::writeStartObject);
        body.accept(this);
        step(out::writeEndObject);
    }

    private <T> void objects(Consumer<Consumer<T>> items, BiConsumer<JsonWriter, T> each) {
        step(out::writeStartArray);
        items.accept(item -> members(nested -> each.accept(nested, item)));
        step(out::writeEndArray);
    }

    private JsonWriter step(Step step) {
        try {
            step.run();
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException("Writing JSON failed.", failed);
        }
    }
}
