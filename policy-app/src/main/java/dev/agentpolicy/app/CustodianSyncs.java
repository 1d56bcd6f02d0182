package dev.agentpolicy.app;

import dev.agentpolicy.app.guard.Scheduler;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.usecase.upkeep.SyncDueCustodians;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private final Scheduler thread = new Scheduler("custodian-syncs");
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
        thread.repeat("Syncing custodians", Duration.ZERO, PAUSE, this::rounds);
    }

    private void rounds() throws InterruptedException {
        int synced = SyncDueCustodians.MAX_AT_ONCE;
        try {
            while (synced == SyncDueCustodians.MAX_AT_ONCE && mayRun.getAsBoolean() && !thread.isClosing()) {
                synced = round();
            }
        } catch (Unavailable away) {
            // The sweeps warn of a database that is away, and less often than each second.
            LOG.debug("No custodian could be synced; the next round comes soon", away);
        }
    }

    /** Syncs some custodians that are due; the answer is their number, or 0 when it is not known yet. */
    private int round() throws InterruptedException {
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
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        }
    }

    /** Ends the syncs that are under way, so that other nodes need not wait for their leases to end. */
    @Override
    public void close() {
        thread.close();
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
