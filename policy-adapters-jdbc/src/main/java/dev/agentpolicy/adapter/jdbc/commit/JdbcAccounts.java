package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Changes accounts by group commit. The changes of one user go through one lane of this node, in their order. */
public final class JdbcAccounts implements Accounts, AutoCloseable {
    private final Dialect dialect;
    private final List<Lane> lanes;
    private final Supplier<Optional<String>> stop;

    /**
     * Starts the lanes.
     *
     * @param queue how many changes may wait in each lane
     * @param stop gives the reason why nothing is to be changed for the time being, if there is one
     */
    public JdbcAccounts(Dialect dialect, int lanes, int queue, GroupCommit commit, Supplier<Optional<String>> stop) {
        this.dialect = dialect;
        this.stop = stop;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new Lane("policy-lane-" + i, queue, commit))
                .toList();
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        return submit(() -> PendingChange.of(user, change));
    }

    /** Continues the chain of an account with the present signing key, if another key must sign its next row. */
    public CompletionStage<Boolean> rollover(UserId user) {
        return submit(() -> PendingChange.rollover(user));
    }

    private <R> CompletionStage<R> submit(Supplier<PendingChange<R>> making) {
        Optional<String> reason = stop.get();
        if (reason.isPresent()) {
            return CompletableFuture.failedFuture(Unavailable.stopped(reason.get()));
        }
        PendingChange<R> waiting;
        try {
            waiting = making.get();
        } catch (RuntimeException wrong) {
            return CompletableFuture.failedFuture(wrong);
        }
        lane(waiting.user()).submit(waiting);
        return waiting.answer();
    }

    /** How many changes wait in all lanes. */
    public int depth() {
        return lanes.stream().mapToInt(Lane::depth).sum();
    }

    /** How long the oldest change has been waiting for its commit; zero if none waits. */
    public Duration oldest() {
        return Duration.ofNanos(
                lanes.stream().mapToLong(Lane::oldestNanos).max().orElse(0));
    }

    /** Refuses new changes; returns when those it has accepted are recorded and their answers are on their way. */
    @Override
    public void close() {
        lanes.forEach(Lane::close);
        lanes.forEach(Lane::awaitEnd);
    }

    private Lane lane(UserId user) {
        return lanes.get(dialect.lane(user, lanes.size()));
    }
}
