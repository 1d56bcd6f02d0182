package dev.agentpolicy.domain.usecase;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets: what was asked for, or why not.
 *
 * @param <T> what was asked for
 */
public final class Answer<T> {
    private final @Nullable T given;
    private final @Nullable Refusal refusal;

    private Answer(@Nullable T given, @Nullable Refusal refusal) {
        this.given = given;
        this.refusal = refusal;
    }

    public static <T> Answer<T> given(T value) {
        return new Answer<>(value, null);
    }

    public static <T> Answer<T> refused(Refusal refusal) {
        return new Answer<>(null, refusal);
    }

    /** Goes on with what was given, or with the refusal. */
    public <R> R fold(Function<? super T, ? extends R> whenGiven, Function<Refusal, ? extends R> whenRefused) {
        if (given != null) {
            return whenGiven.apply(given);
        }
        if (refusal != null) {
            return whenRefused.apply(refusal);
        }
        throw new IllegalStateException("An answer either gives or refuses.");
    }

    public <R> Answer<R> map(Function<? super T, ? extends R> meaning) {
        return fold(value -> given(meaning.apply(value)), Answer::refused);
    }

    @Override
    public String toString() {
        return fold(value -> "given " + value, refused -> "refused " + refused);
    }
}
