package dev.agentpolicy.domain.document;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading a document: its value, or all its problems.
 *
 * @param <T> the type of the value
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

    /** Applies the first function to the value, or the second one to the problems. */
    public <R> R fold(Function<? super T, ? extends R> read, Function<List<Problem>, ? extends R> wrong) {
        return value != null ? read.apply(value) : wrong.apply(problems);
    }

    /** Reads on from the value; problems stay as they are. */
    public <R> Reading<R> then(Function<? super T, Reading<R>> next) {
        return value != null ? next.apply(value) : wrong(problems);
    }

    /** Whether the document could be read. */
    public boolean isRead() {
        return value != null;
    }

    /**
     * The value of a document that is known to be right, such as one that this service wrote.
     *
     * @throws IllegalStateException when the document has problems
     */
    public T orElseThrow() {
        if (value == null) {
            throw new IllegalStateException("Not readable: " + problems);
        }
        return value;
    }

    /** The problems; empty when the document could be read. */
    public List<Problem> problems() {
        return problems;
    }
}
