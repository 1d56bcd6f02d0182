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
 * What one round over waiting requests did. That one of them cannot be read or recorded holds up none of the others; it
 * has its turn again in the next round.
 *
 * @param lookedAt how many requests were due
 * @param failures those of them for which nothing could be done
 */
public record SweepResult(int examined, List<Failed> failures) {
    public SweepResult {
        failures = List.copyOf(failures);
    }

    /** A request for which nothing could be done, and why. */
    public record Failed(RequestRef request, Throwable cause) {}

    /**
     * Does something about each of the requests.
     *
     * @throws Unavailable when one cannot be looked for at all, as none of the others could be then
     */
    public static CompletionStage<SweepResult> each(
            List<RequestRef> due, Function<RequestRef, CompletionStage<?>> doing) {
        List<CompletableFuture<@Nullable Failed>> done = new ArrayList<>(due.size());
        due.forEach(request -> done.add(attempt(request, doing)));
        return CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> new SweepResult(due.size(), failures(done)));
    }

    private static CompletableFuture<@Nullable Failed> attempt(
            RequestRef request, Function<RequestRef, CompletionStage<?>> doing) {
        try {
            return doing.apply(request)
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
