package dev.agentpolicy.domain.document;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document that this service wrote, with decimals as text. Anything unexpected means that the store is damaged
 * and throws {@link IllegalStateException}.
 */
public record Stored(Document document) {

    public boolean has(String name) {
        return document.get(name) != null;
    }

    public String text(String name) {
        return of(name, String.class);
    }

    public @Nullable String textOrNull(String name) {
        return has(name) ? text(name) : null;
    }

    public BigDecimal decimal(String name) {
        return new BigDecimal(text(name));
    }

    public @Nullable BigDecimal decimalOrNull(String name) {
        return has(name) ? decimal(name) : null;
    }

    public long integer(String name) {
        return of(name, BigDecimal.class).longValueExact();
    }

    public @Nullable Integer integerOrNull(String name) {
        return has(name) ? Math.toIntExact(integer(name)) : null;
    }

    public @Nullable Long longOrNull(String name) {
        return has(name) ? integer(name) : null;
    }

    public boolean truth(String name) {
        return of(name, Boolean.class);
    }

    public Instant instant(String name) {
        Instant instant = Instants.parse(text(name));
        if (instant == null) {
            throw new IllegalStateException(name + " is not an instant.");
        }
        return instant;
    }

    public @Nullable Instant instantOrNull(String name) {
        return has(name) ? instant(name) : null;
    }

    public Stored object(String name) {
        return new Stored(of(name, Document.class));
    }

    /** A nested object, read by a function; null when absent. */
    public <T> @Nullable T objectOrNull(String name, Function<Stored, T> meaning) {
        return has(name) ? meaning.apply(object(name)) : null;
    }

    /** A list of objects, each read by a function. */
    public <T> List<T> objects(String name, Function<Stored, T> meaning) {
        List<?> items = of(name, List.class);
        return items.stream()
                .map(item -> meaning.apply(new Stored((Document) item)))
                .toList();
    }

    /** The constant of an enum that a word names. */
    public <E extends Enum<E> & Word> E word(String name, Class<E> type) {
        String text = text(name);
        return Word.named(type, text)
                .orElseThrow(() -> new IllegalStateException(name + " is not one of the known words: " + text));
    }

    private <T> T of(String name, Class<T> type) {
        Object value = document.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalStateException(name + " is missing from a stored document.");
        }
        return type.cast(value);
    }
}
