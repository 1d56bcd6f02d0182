package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Changes accounts, one change of a user at a time: between what a change reads and what it records, no other change of
 * the same user happens on any node.
 */
public interface Accounts {

    /**
     * Applies a change and records its outcome.
     *
     * @return completes after the commit. Fails with {@link Unavailable} when nothing was recorded, or when it is not
     *     known whether the outcome was recorded
     */
    <R> CompletionStage<R> change(UserId user, Change<R> change);

    /**
     * Applies a change and blocks until its outcome is committed. Not for I/O threads.
     *
     * @throws Unavailable as {@link #change} fails
     */
    default <R> R changeAndWait(UserId user, Change<R> change) {
        return await(change(user, change));
    }

    /**
     * Blocks until a stage is done. Not for I/O threads.
     *
     * @throws RuntimeException that of the stage
     */
    default <R> R await(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
