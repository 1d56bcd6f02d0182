package dev.agentpolicy.app;

import dev.agentpolicy.app.guard.WorkerPool;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.usecase.upkeep.SyncDueCustodians;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Syncs connected custodians in the background: all of them once at the start, and then those that are due, for which it
 * looks every second. All nodes may do so at the same time.
 */
final class CustodianSyncs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CustodianSyncs.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** After this time the next custodians are synced beside those that have not answered. */
    private static final long MAX_ROUND_SECONDS = 5;

    private static final long MAX_CLOSING_SECONDS = 10;

    private final SyncDueCustodians due;
    private final Executor asking;
    private final BooleanSupplier mayRun;
    private final Set<CompletableFuture<Integer>> rounds = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> WorkerPool.daemon("custodian-syncs", task));
    private boolean hasBegun;

    /**
     * @param asking runs the syncs
     * @param mayRun whether custodians may be synced now; otherwise they wait
     */
    CustodianSyncs(SyncDueCustodians due, Executor asking, BooleanSupplier mayRun) {
        this.due = due;
        this.asking = asking;
        this.mayRun = mayRun;
    }

    /** Starts the first round at once. */
    void begin() {
        WorkerPool.repeat(thread, this::attempt, 0, PAUSE.toMillis());
    }

    private void attempt() {
        try {
            int synced = SyncDueCustodians.MAX_AT_ONCE;
            while (synced == SyncDueCustodians.MAX_AT_ONCE && mayRun.getAsBoolean() && !thread.isShutdown()) {
                synced = round();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | RuntimeException failed) {
            boolean isAway = failed instanceof Unavailable || failed.getCause() instanceof Unavailable;
            LOG.atLevel(isAway ? Level.DEBUG : Level.WARN)
                    .setCause(failed)
                    .log("No custodian could be synced; the next round comes soon");
        }
    }

    /** Syncs some custodians that are due; the answer is their number, or 0 when it is not known yet. */
    private int round() throws InterruptedException, ExecutionException {
        if (!hasBegun) {
            due.begin();
            hasBegun = true;
        }
        CompletableFuture<Integer> round = CompletableFuture.supplyAsync(due::sweep, asking);
        rounds.add(round);
        var unused = round.whenComplete((count, failed) -> rounds.removeIf(CompletableFuture::isDone));
        try {
            return round.get(MAX_ROUND_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException slow) {
            return 0;
        }
    }

    /** Ends the syncs that are under way, so that other nodes need not wait for their leases to end. */
    @Override
    public void close() {
        WorkerPool.finish(thread);
        try {
            CompletableFuture.allOf(rounds.toArray(CompletableFuture<?>[]::new))
                    .get(MAX_CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException late) {
            LOG.info("Some custodians have not answered; other nodes sync them when the leases of this one end");
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
