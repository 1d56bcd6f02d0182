package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import java.util.concurrent.CompletionStage;

/** Changes a user's account alone: between what a change reads and what it records nothing else changes, on any node. */
public interface Accounts {

    /**
     * Applies a change and records its outcome.
     *
     * @return completes after the commit; or exceptionally with {@link Unavailable} when nothing was recorded, or when it
     *     could not be found out whether it was
     */
    <R> CompletionStage<R> change(UserId user, Change<R> change);
}
