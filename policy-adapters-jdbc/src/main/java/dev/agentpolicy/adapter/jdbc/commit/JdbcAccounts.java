package dev.agentpolicy.adapter.jdbc.commit;

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

/** Changes accounts by group commit; the changes of one user go through one lane of this node, in their order. */
public final class JdbcAccounts implements Accounts, AutoCloseable {
    private final List<Lane> lanes;
    private final Supplier<Optional<String>> stop;

    /** @param stop says why nothing is to be changed for the time being */
    public JdbcAccounts(int lanes, int queue, GroupCommit commit, Supplier<Optional<String>> stop) {
        this.stop = stop;
        this.lanes = IntStream.range(0, lanes)
                .mapToObj(i -> new Lane("policy-lane-" + i, queue, commit))
                .toList();
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        Optional<String> reason = stop.get();
        if (reason.isPresent()) {
            return CompletableFuture.failedFuture(Unavailable.stopped(reason.get()));
        }
        PendingChange<R> waiting;
        try {
            waiting = new PendingChange<>(user, change);
        } catch (RuntimeException wrong) {
            return CompletableFuture.failedFuture(wrong);
        }
        lane(user).submit(waiting);
        return waiting.answer();
    }

    public int depth() {
        return lanes.stream().mapToInt(Lane::depth).sum();
    }

    public Duration oldest() {
        return Duration.ofNanos(
                lanes.stream().mapToLong(Lane::oldestNanos).max().orElse(0));
    }

    /** Takes nothing more, records what was taken and hands it over to be answered. */
    @Override
    public void close() {
        lanes.forEach(Lane::close);
        lanes.forEach(Lane::awaitEnd);
    }

    private Lane lane(UserId user) {
        int hash = user.hashCode();
        return lanes.get(Math.floorMod(hash ^ hash >>> Short.SIZE, lanes.size()));
    }
}
