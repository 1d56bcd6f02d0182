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
 * Refuses changes of accounts while there is a reason to, such as a disk that is nearly full.
 *
 * <p>The obstacles are checked before every change, so a check must not do any I/O. The code that detects an obstacle
 * logs it once when it appears and once when it is gone; refused changes are not logged.
 */
public final class WriteGate {
    private final List<Obstacle> obstacles;

    /**
     * A gate that is open while no obstacle has a reason.
     *
     * @param obstacles checked in this order; the first reason is the one reported
     */
    public WriteGate(List<Obstacle> obstacles) {
        this.obstacles = List.copyOf(obstacles);
    }

    /**
     * A condition that may stop changes.
     *
     * @param name label of the metric, such as {@code disk}
     * @param reason a sentence for the operator while changes must be stopped, otherwise empty; must be thread-safe and
     *     must not block
     */
    public record Obstacle(String name, Supplier<Optional<String>> reason) {}

    /** The reason why changes are refused now; empty while the gate is open. */
    public Optional<String> closedBecause() {
        return obstacles.stream().flatMap(it -> it.reason().get().stream()).findFirst();
    }

    /** All obstacles, for the metric. */
    public Stream<Obstacle> obstacles() {
        return obstacles.stream();
    }

    /** The given accounts behind this gate: while it is closed, every change fails with {@link Unavailable#stopped}. */
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
