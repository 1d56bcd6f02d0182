package dev.agentpolicy.adapter.custodian;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The outcome of a call to a broker. Neither reason contains a credential.
 *
 * @param <T> the type of a successful answer
 */
public sealed interface BrokerResult<T> {

    /**
     * The broker answered as asked.
     *
     * @param value what it answered
     */
    record Answered<T>(T value) implements BrokerResult<T> {}

    /**
     * The broker understood the call and will not do it. The same call would be refused again.
     *
     * @param status the HTTP status
     * @param reason in the broker's words, for the user
     */
    record Declined<T>(int status, String reason) implements BrokerResult<T> {}

    /**
     * The broker could not be reached, or its answers could not be understood, however often it was asked. What the call
     * was to do may have been done; the same call can be made again.
     *
     * @param reason a sentence for the user
     */
    record Unreachable<T>(String reason) implements BrokerResult<T> {}

    /** Applies the function that belongs to this outcome. */
    default <R> R fold(
            Function<? super T, ? extends R> answered,
            Function<? super Declined<T>, ? extends R> refused,
            Function<? super Unreachable<T>, ? extends R> away) {
        if (this instanceof Answered<T> answer) {
            return answered.apply(answer.value());
        }
        return this instanceof Declined<T> refusal ? refused.apply(refusal) : away.apply((Unreachable<T>) this);
    }

    /** The same outcome with another answer. */
    default <R> BrokerResult<R> map(Function<? super T, ? extends R> function) {
        return fold(
                value -> new Answered<>(function.apply(value)),
                refused -> new Declined<>(refused.status(), refused.reason()),
                away -> new Unreachable<>(away.reason()));
    }

    /** Makes the next call after an answer; after a failure, that failure is the outcome. */
    default <R> CompletionStage<BrokerResult<R>> then(
            Function<? super T, ? extends CompletionStage<BrokerResult<R>>> next) {
        return this.<CompletionStage<BrokerResult<R>>>fold(
                next,
                refused -> CompletableFuture.completedFuture(new Declined<>(refused.status(), refused.reason())),
                away -> CompletableFuture.completedFuture(new Unreachable<>(away.reason())));
    }
}
