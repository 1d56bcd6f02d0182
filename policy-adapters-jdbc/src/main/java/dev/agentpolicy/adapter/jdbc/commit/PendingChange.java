package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.SqlFailed;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A change on its way to its commit, and whoever waits for its answer. */
final class PendingChange<R> {
    private final UserId user;
    private final Change<R> change;
    private final LoadSpec needs;
    private final CompletableFuture<R> answer = new CompletableFuture<>();
    private final long since = System.nanoTime();

    PendingChange(UserId user, Change<R> change) {
        this.user = user;
        this.change = change;
        this.needs = change.needs();
    }

    UserId user() {
        return user;
    }

    LoadSpec needs() {
        return needs;
    }

    CompletableFuture<R> answer() {
        return answer;
    }

    /** When it was queued, by {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** Applies the change; what it returns gives the answer, and must run after the commit only. */
    Runnable applyTo(OpenAccount account, EventSealer sealing) {
        try {
            if (change instanceof KeyRollover) {
                account.leadOver(sealing);
            }
            Outcome<R> outcome = change.apply(account.account());
            List<Receipt> receipts = account.add(outcome, sealing);
            return () -> give(outcome, receipts);
        } catch (SqlFailed failed) {
            throw failed;
        } catch (RuntimeException | StackOverflowError wrong) {
            return () -> fail(wrong);
        }
    }

    void fail(Throwable wrong) {
        answer.completeExceptionally(wrong);
    }

    private void give(Outcome<R> outcome, List<Receipt> receipts) {
        R result;
        try {
            result = outcome.answer().apply(receipts);
        } catch (RuntimeException wrong) {
            fail(wrong);
            return;
        }
        answer.complete(result);
    }
}
