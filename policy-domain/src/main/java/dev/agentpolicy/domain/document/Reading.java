package dev.agentpolicy.domain.document;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What came of reading a document: the value it means, or everything that is wrong with it.
 *
 * @param <T> what the document means
 */
public final class Reading<T> {
    private final @Nullable T value;
    private final List<Problem> problems;

    private Reading(@Nullable T value, List<Problem> problems) {
        this.value = value;
        this.problems = problems;
    }

    public static <T> Reading<T> of(T value) {
        return new Reading<>(value, List.of());
    }

    public static <T> Reading<T> wrong(List<Problem> problems) {
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("A document that could not be read has at least one problem.");
        }
        return new Reading<>(null, List.copyOf(problems));
    }

    /** Goes on with the value, or with what was wrong. */
    public <R> R fold(Function<? super T, ? extends R> read, Function<List<Problem>, ? extends R> wrong) {
        return value != null ? read.apply(value) : wrong.apply(problems);
    }

    public boolean isRead() {
        return value != null;
    }

    /**
     * The value, for a document this service wrote itself.
     *
     * @throws IllegalStateException when the document was wrong
     */
    public T orElseThrow() {
        if (value == null) {
            throw new IllegalStateException("Not readable: " + problems);
        }
        return value;
    }

    /** What is wrong, empty when the document could be read. */
    public List<Problem> problems() {
        return problems;
    }
}
