package dev.agentpolicy.domain.usecase;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of a use case: a value, or a refusal.
 *
 * @param <T> type of the value
 */
public final class Answer<T> {
    private final @Nullable T value;
    private final @Nullable Refusal refusal;

    private Answer(@Nullable T value, @Nullable Refusal refusal) {
        this.value = value;
        this.refusal = refusal;
    }

    public static <T> Answer<T> given(T value) {
        return new Answer<>(value, null);
    }

    public static <T> Answer<T> refused(Refusal refusal) {
        return new Answer<>(null, refusal);
    }

    /** Why there is no value; null when there is one. */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    /**
     * The value.
     *
     * @throws IllegalStateException after a refusal
     */
    public T value() {
        if (value == null) {
            throw new IllegalStateException("Refused: " + refusal);
        }
        return value;
    }

    /** The answer that a function gives for the value; a refusal stays the same. */
    public <R> Answer<R> then(Function<? super T, Answer<R>> next) {
        return fold(next, Answer::refused);
    }

    /** Applies one function to the value, or the other to the refusal. */
    public <R> R fold(Function<? super T, ? extends R> success, Function<Refusal, ? extends R> failure) {
        if (value != null) {
            return success.apply(value);
        }
        if (refusal != null) {
            return failure.apply(refusal);
        }
        throw new IllegalStateException("An answer has either a value or a refusal.");
    }

    /** The answer with another value; a refusal stays the same. */
    public <R> Answer<R> map(Function<? super T, ? extends R> mapping) {
        return fold(it -> given(mapping.apply(it)), Answer::refused);
    }

    @Override
    public String toString() {
        return fold(it -> "given " + it, refused -> "refused " + refused);
    }
}
