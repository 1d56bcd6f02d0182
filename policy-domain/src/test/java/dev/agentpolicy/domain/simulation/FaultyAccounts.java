package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Needs;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.port.Accounts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The accounts as one node reaches them: commits and answers are steps of their own, and each of them may fail. */
final class FaultyAccounts implements Accounts {
    private final Town town;
    private final Node node;

    FaultyAccounts(Town town, Node node) {
        this.town = town;
        this.node = node;
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        Attempt<R> attempt = new Attempt<>(town.asking(), user, town.flaw.in(change), new CompletableFuture<>());
        node.later(() -> commit(attempt));
        return attempt.answer;
    }

    private record Attempt<R>(Asking asking, UserId user, Change<R> change, CompletableFuture<R> answer) {}

    private <R> void commit(Attempt<R> attempt) {
        if (town.happens(40)) {
            rollBack(attempt);
            return;
        }
        Seen<R> seen = new Seen<>(attempt.change, false);
        R answer = town.store
                .change(attempt.user, seen)
                .exceptionally(failed -> town.verdict.unexpected(failed))
                .toCompletableFuture()
                .join();
        town.watch.committed(attempt.asking, seen.account, seen.outcome, answer);
        if (town.happens(60)) {
            node.later(() -> attempt.answer.completeExceptionally(new Unavailable("The answer was lost.")));
        } else {
            node.later(() -> attempt.answer.complete(answer));
        }
    }

    /** Applied and not recorded: it is applied once more later, or its caller is told. */
    private <R> void rollBack(Attempt<R> attempt) {
        Seen<R> seen = new Seen<>(attempt.change, true);
        town.store.change(attempt.user, seen);
        if (town.flaw.answersBeforeCommit()) {
            R answer = seen.outcome.answer().apply(receipts(seen));
            node.later(() -> attempt.answer.complete(answer));
        } else if (town.random.nextBoolean()) {
            node.later(() -> commit(attempt));
        } else {
            node.later(() -> attempt.answer.completeExceptionally(new Unavailable("The commit failed.")));
        }
    }

    private static List<Receipt> receipts(Seen<?> seen) {
        return seen.outcome.events().stream()
                .map(event -> new Receipt(1_000_000, "never written"))
                .toList();
    }

    /** A change that remembers what it saw and made. */
    private static final class Seen<R> implements Change<R> {
        private final Change<R> change;
        private final boolean fails;
        private Account account;
        private Outcome<R> outcome;

        Seen(Change<R> change, boolean fails) {
            this.change = change;
            this.fails = fails;
        }

        @Override
        public Needs needs() {
            return change.needs();
        }

        @Override
        public Outcome<R> apply(Account before) {
            account = before;
            outcome = change.apply(before);
            if (fails) {
                throw new Unavailable("The commit failed.");
            }
            return outcome;
        }
    }
}
