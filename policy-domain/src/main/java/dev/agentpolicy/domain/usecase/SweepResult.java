package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.RequestQueue.RequestRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of one sweep over due requests. A request that cannot be read or changed does not stop the sweep; the next
 * sweep tries it again.
 *
 * @param examined number of due requests
 * @param failures the requests that could not be read or changed
 */
public record SweepResult(int examined, List<Failed> failures) {
    public SweepResult {
        failures = List.copyOf(failures);
    }

    /** A request that could not be read or changed, and the cause. */
    public record Failed(RequestRef request, Throwable cause) {}

    /**
     * Applies an action to each of the requests.
     *
     * @throws Unavailable when the store cannot be reached, since the other requests would fail too
     */
    public static CompletionStage<SweepResult> each(
            List<RequestRef> due, Function<RequestRef, CompletionStage<?>> action) {
        List<CompletableFuture<@Nullable Failed>> done = new ArrayList<>(due.size());
        due.forEach(request -> done.add(attempt(request, action)));
        return CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> new SweepResult(due.size(), failures(done)));
    }

    private static CompletableFuture<@Nullable Failed> attempt(
            RequestRef request, Function<RequestRef, CompletionStage<?>> action) {
        try {
            return action.apply(request)
                    .<@Nullable Failed>handle((given, failed) -> failed == null ? null : new Failed(request, failed))
                    .toCompletableFuture();
        } catch (Unavailable away) {
            throw away;
        } catch (RuntimeException unreadable) {
            return CompletableFuture.completedFuture(new Failed(request, unreadable));
        }
    }

    private static List<Failed> failures(List<CompletableFuture<@Nullable Failed>> done) {
        List<Failed> failures = new ArrayList<>();
        for (CompletableFuture<@Nullable Failed> one : done) {
            Failed failed = one.join();
            if (failed != null) {
                failures.add(failed);
            }
        }
        return failures;
    }
}
