package dev.agentpolicy.domain.custodian;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What a custodian said to a call. No reason contains a credential.
 *
 * @param <T> the type of an answer
 */
public sealed interface CustodianReply<T> {

    /** The custodian did what it was asked to. */
    record Given<T>(T value) implements CustodianReply<T> {}

    /**
     * The custodian will not do it; the same call would be refused again.
     *
     * @param reason an English sentence for the user
     */
    record Refused<T>(String reason) implements CustodianReply<T> {}

    /**
     * It is not known whether the custodian did it. The same call can be made again.
     *
     * @param reason an English sentence for the user
     */
    record Away<T>(String reason) implements CustodianReply<T> {}

    /** Applies the function for this reply. */
    default <R> R fold(
            Function<? super T, ? extends R> given,
            Function<? super Refused<T>, ? extends R> refused,
            Function<? super Away<T>, ? extends R> away) {
        if (this instanceof Given<T> answer) {
            return given.apply(answer.value());
        }
        return this instanceof Refused<T> refusal ? refused.apply(refusal) : away.apply((Away<T>) this);
    }

    /** The same reply with another answer. */
    default <R> CustodianReply<R> map(Function<? super T, ? extends R> function) {
        return fold(
                value -> new Given<>(function.apply(value)),
                refused -> new Refused<>(refused.reason()),
                away -> new Away<>(away.reason()));
    }

    /** Makes the next call after an answer; any other reply is the result. */
    default <R> CompletionStage<CustodianReply<R>> then(
            Function<? super T, ? extends CompletionStage<CustodianReply<R>>> next) {
        return this.<CompletionStage<CustodianReply<R>>>fold(
                next,
                refused -> CompletableFuture.completedFuture(new Refused<>(refused.reason())),
                away -> CompletableFuture.completedFuture(new Away<>(away.reason())));
    }
}
