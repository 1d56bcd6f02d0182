package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A change of one account that waits for its commit, and the future of its caller. Beside the changes of use cases there
 * are two commands of the store itself, {@link #checkpoint} and {@link #rollover}.
 *
 * @param maxDecisions how many decisions it records at most, if it records nothing else; 0 otherwise
 * @param since when it was queued, by {@link System#nanoTime}
 */
record PendingChange<R>(
        UserId user, LoadSpec needs, int maxDecisions, Command<R> command, CompletableFuture<R> answer, long since) {

    private PendingChange(UserId user, LoadSpec needs, int maxDecisions, Command<R> command) {
        this(user, needs, maxDecisions, command, new CompletableFuture<>(), System.nanoTime());
    }

    /** What is done to an account; the supplier gives the answer once it is durable. */
    interface Command<R> {
        Supplier<R> applyTo(AccountSession account, EventSealer sealer);
    }

    static <R> PendingChange<R> of(UserId user, Change<R> change) {
        return new PendingChange<>(user, change.needs(), change.maxDecisions(), (account, sealer) -> {
            Outcome<R> outcome = change.apply(account.account(change.needs()));
            List<Receipt> receipts = account.record(outcome, sealer);
            return () -> outcome.answer().apply(receipts);
        });
    }

    /** Brings the snapshot up to date with the journal. */
    static PendingChange<Boolean> checkpoint(UserId user) {
        return new PendingChange<>(user, LoadSpec.NOTHING, 0, (account, sealer) -> {
            account.checkpoint();
            return () -> true;
        });
    }

    /** Continues the chain with the present signing key, unless its last row is signed by that key already. */
    static PendingChange<Boolean> rollover(UserId user) {
        return new PendingChange<>(user, LoadSpec.NOTHING, 0, (account, sealer) -> {
            account.rollover(sealer);
            return () -> true;
        });
    }

    /**
     * Applies the change. The returned task completes the future and must run after the commit only; if the change itself
     * failed, the task fails the future with its exception, and nothing of this change is recorded.
     */
    Runnable applyTo(AccountSession account, EventSealer sealer) {
        try {
            Supplier<R> result = command.applyTo(account, sealer);
            return () -> complete(result);
        } catch (SqlFailed failed) {
            throw failed;
        } catch (RuntimeException | StackOverflowError wrong) {
            return () -> fail(wrong);
        }
    }

    void fail(Throwable wrong) {
        answer.completeExceptionally(wrong);
    }

    private void complete(Supplier<R> result) {
        R value;
        try {
            value = result.get();
        } catch (RuntimeException wrong) {
            fail(wrong);
            return;
        }
        answer.complete(value);
    }
}
