package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.port.Accounts;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The accounts of one node. Commits and answers are separate steps, and each may fail. */
final class UnreliableAccounts implements Accounts {
    private final Simulation simulation;
    private final SimulatedNode node;

    UnreliableAccounts(Simulation simulation, SimulatedNode node) {
        this.simulation = simulation;
        this.node = node;
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        ChangeAttempt<R> attempt =
                new ChangeAttempt<>(simulation.origin(), user, simulation.mutant.in(change), new CompletableFuture<>());
        node.later(() -> commit(attempt));
        return attempt.answer;
    }

    @Override
    public <R> R await(CompletionStage<R> stage) {
        return SimulatedThread.await(stage);
    }

    private record ChangeAttempt<R>(ChangeOrigin origin, UserId user, Change<R> change, CompletableFuture<R> answer) {}

    private <R> void commit(ChangeAttempt<R> attempt) {
        if (simulation.happens(40)) {
            rollBack(attempt);
            return;
        }
        RecordingChange<R> seen = new RecordingChange<>(attempt.change, false);
        R answer = simulation
                .store
                .change(attempt.user, seen)
                .exceptionally(failed -> simulation.firstViolation.unexpected(failed))
                .toCompletableFuture()
                .join();
        simulation.checker.committed(attempt.origin, seen.account, seen.outcome, answer);
        if (simulation.happens(60)) {
            node.later(() -> attempt.answer.completeExceptionally(new Unavailable("The answer was lost.")));
        } else {
            Instant last = simulation.clock.time().plus(UnreliableCustodian.TIMEOUT);
            node.later(() -> answered(attempt, answer, last));
        }
    }

    /** Nobody waits for an answer longer than for a custodian, or an order could be sent long after it was accepted. */
    private <R> void answered(ChangeAttempt<R> attempt, R answer, Instant last) {
        if (simulation.clock.time().isAfter(last)) {
            attempt.answer.completeExceptionally(new Unavailable("The answer came too late."));
        } else {
            attempt.answer.complete(answer);
        }
    }

    /** Applies a change without recording it, as in a failed commit; the change is retried or fails. */
    private <R> void rollBack(ChangeAttempt<R> attempt) {
        RecordingChange<R> seen = new RecordingChange<>(attempt.change, true);
        simulation.store.change(attempt.user, seen);
        if (simulation.mutant.answersBeforeCommit()) {
            R answer = seen.outcome.answer().apply(receipts(seen));
            node.later(() -> attempt.answer.complete(answer));
        } else if (simulation.random.nextBoolean()) {
            node.later(() -> commit(attempt));
        } else {
            node.later(() -> attempt.answer.completeExceptionally(new Unavailable("The commit failed.")));
        }
    }

    private static List<Receipt> receipts(RecordingChange<?> seen) {
        return seen.outcome.events().stream()
                .map(event -> new Receipt(1_000_000, "never written"))
                .toList();
    }

    /** A change that keeps the account it saw and the outcome it made. */
    private static final class RecordingChange<R> implements Change<R> {
        private final Change<R> change;
        private final boolean fails;
        private Account account;
        private Outcome<R> outcome;

        RecordingChange(Change<R> change, boolean fails) {
            this.change = change;
            this.fails = fails;
        }

        @Override
        public LoadSpec needs() {
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
