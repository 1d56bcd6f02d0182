package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Keeps changes of accounts from beginning while there is a reason to stop them, such as a disk that is nearly full.
 *
 * <p>The gate is asked once per change, so each obstacle must answer from memory. Whoever finds an obstacle also logs it,
 * once when it appears and once when it is gone; a change that is refused is not logged again.
 */
public final class WriteGate {
    private final List<Obstacle> obstacles;

    /**
     * A gate that is open while no obstacle has a reason.
     *
     * @param obstacles asked in this order; the first reason is the one that counts
     */
    public WriteGate(List<Obstacle> obstacles) {
        this.obstacles = List.copyOf(obstacles);
    }

    /**
     * Something that may stop changes.
     *
     * @param name label of the metric, such as {@code disk}
     * @param reason a sentence for the operator while changes are to be stopped, empty otherwise; safe on any thread and
     *     never blocking
     */
    public record Obstacle(String name, Supplier<Optional<String>> reason) {}

    /** What stops changes now; empty while the gate is open. */
    public Optional<String> closedBecause() {
        return obstacles.stream().flatMap(it -> it.reason().get().stream()).findFirst();
    }

    /** Everything that may stop changes, for the metric. */
    public Stream<Obstacle> obstacles() {
        return obstacles.stream();
    }

    /** The same accounts behind this gate: while it is closed every change fails with {@link Unavailable#stopped}. */
    public Accounts guard(Accounts accounts) {
        return new Accounts() {
            @Override
            public <R> CompletionStage<R> change(UserId user, Change<R> change) {
                Optional<String> reason = closedBecause();
                return reason.isPresent()
                        ? CompletableFuture.failedFuture(Unavailable.stopped(reason.get()))
                        : accounts.change(user, change);
            }
        };
    }
}
