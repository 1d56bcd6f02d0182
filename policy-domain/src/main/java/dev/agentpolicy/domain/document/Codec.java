package dev.agentpolicy.domain.document;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The form of a value in signed and stored documents, where decimals are text, and how it is read from documents of all
 * kinds.
 *
 * @param reader reads a member; null when it is absent, or wrong and reported
 * @param writer makes the value that stands in the document
 */
public record Codec<V>(Reader<V> reader, Function<V, Object> writer) {
    static final Function<Object, Object> AS_IS = value -> value;

    public static final Codec<String> TEXT = plainText(0, Integer.MAX_VALUE);
    public static final Codec<Boolean> TRUTH = new Codec<>(Fields::truth, asIs());
    public static final Codec<Long> LONG = new Codec<>(Fields::integer, asIs());
    public static final Codec<Integer> INTEGER = integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    /** Decimals without limits; for documents that only this service writes. */
    public static final Codec<BigDecimal> DECIMAL = new Codec<>(Fields::decimal, Decimals::text);

    public static final Codec<Instant> INSTANT = meaning("must be a time", Instants::parse, Instants::format);
    /** A time as users send it, with any offset. */
    public static final Codec<Instant> DATE_TIME = meaning(
            "must be a date-time such as 2026-11-21T09:40:00Z",
            text -> Optional.ofNullable(Instants.parseRfc3339(text))
                    .map(Instants::truncated)
                    .orElse(null),
            Instants::format);

    public static final Codec<UUID> ID = uuid("must be a UUID in lower case");

    /** A list of any texts. */
    public static final Codec<List<String>> TEXTS = new Codec<>(
            (fields, name) -> fields.texts(name, Integer.MAX_VALUE, "must be a string", text -> text), asIs());

    /** Reads a member of a document. */
    @FunctionalInterface
    public interface Reader<V> {
        @Nullable
        V read(Fields fields, String name);
    }

    @SuppressWarnings("unchecked") // Returns what it gets.
    private static <V> Function<V, Object> asIs() {
        return (Function<V, Object>) (Function<?, Object>) AS_IS;
    }

    /** A text for people, see {@link Fields#plainText}. */
    public static Codec<String> plainText(int minLength, int maxLength) {
        return new Codec<>((fields, name) -> fields.plainText(name, minLength, maxLength), asIs());
    }

    public static Codec<Integer> integer(int min, int max) {
        return new Codec<>((fields, name) -> fields.integer(name, min, max), asIs());
    }

    public static Codec<BigDecimal> decimal(BigDecimal min, BigDecimal max, int maxScale) {
        return new Codec<>((fields, name) -> fields.decimal(name, min, max, maxScale), Decimals::text);
    }

    /** A text with a meaning; {@code of} returns null for a text that is wrong. */
    public static <V> Codec<V> meaning(String expected, Function<String, @Nullable V> of, Function<V, String> text) {
        return new Codec<>((fields, name) -> fields.meaning(name, expected, of), text::apply);
    }

    public static Codec<UUID> uuid(String expected) {
        return meaning(expected, Codec::parsedUuid, UUID::toString);
    }

    /** The UUID of a text in lower case, or null. */
    public static @Nullable UUID parsedUuid(String text) {
        try {
            UUID uuid = UUID.fromString(text);
            return uuid.toString().equals(text) ? uuid : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    public static <E extends Enum<E> & Word> Codec<E> word(Class<E> type) {
        return new Codec<>((fields, name) -> fields.word(name, type), Word::wireName);
    }

    public static <E extends Enum<E> & Word> Codec<Set<E>> words(Class<E> type) {
        return words(type.getEnumConstants(), Word::wireName);
    }

    /** A set of constants of an enum that a function names. */
    public static <E extends Enum<E>> Codec<Set<E>> words(E[] words, Function<E, String> wireName) {
        return set(
                words.length,
                Choices.expected(words, wireName),
                text -> Choices.named(text, words, wireName),
                wireName);
    }

    /** A set of texts with a meaning, written in order. */
    public static <V extends Comparable<? super V>> Codec<Set<V>> set(
            int max, String expected, Function<String, @Nullable V> of, Function<V, String> text) {
        return new Codec<>(
                (fields, name) -> fields.has(name) ? Set.copyOf(fields.texts(name, max, expected, of)) : null,
                values -> values.stream().sorted().map(text).toList());
    }

    /** A nested object. */
    public static <V> Codec<V> object(Schema<V> schema) {
        return new Codec<>((fields, name) -> fields.object(name, schema::read), schema::write);
    }

    /** A nested object whose members a function knows. */
    public static <V> Codec<V> object(Function<Document, V> reader, Function<V, Map<String, @Nullable Object>> writer) {
        return new Codec<>(
                (fields, name) -> {
                    Document nested = fields.document(name);
                    return nested == null ? null : reader.apply(nested);
                },
                writer::apply);
    }

    /** A list of objects. */
    public static <V> Codec<List<V>> list(int max, Schema<V> schema) {
        return new Codec<>(
                (fields, name) -> fields.has(name) ? fields.objects(name, max, schema::read) : null,
                values -> values.stream().map(schema::write).toList());
    }

    /** A list of objects without a limit; for documents that only this service writes. */
    public static <V> Codec<List<V>> list(Schema<V> schema) {
        return list(Integer.MAX_VALUE, schema);
    }

    /** The same form for another type. */
    public <W> Codec<W> as(Function<V, W> to, Function<W, V> from) {
        return new Codec<>(
                (fields, name) -> {
                    V value = reader.read(fields, name);
                    return value == null ? null : to.apply(value);
                },
                value -> writer.apply(from.apply(value)));
    }
}
