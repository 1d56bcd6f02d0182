package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.anchor.Anchors;
import dev.agentpolicy.app.guard.WorkerPool;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.SweepResult.Failed;
import dev.agentpolicy.domain.usecase.owner.FillRequest;
import dev.agentpolicy.domain.usecase.owner.SignIn;
import dev.agentpolicy.domain.usecase.upkeep.ExpireRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The periodic work of a node: it resumes accepted requests that were not filled, rejects requests whose
 * time is over, and deletes ended sessions and expired idempotency keys. All nodes may
 * do it at the same time.
 */
final class Sweeps implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);
    private static final Duration OFTEN = Duration.ofSeconds(5);
    private static final Duration EACH_MINUTE = Duration.ofMinutes(1);
    private static final Duration SELDOM = Duration.ofMinutes(10);
    private static final long LONGEST_SWEEP_SECONDS = 30;
    private static final int LED_OVER_AT_ONCE = 1_000;
    /** By then every node has looked for the present key, or signs nothing any more. */
    private static final Duration UNTIL_DESTROYED = Duration.ofMinutes(10);

    private final BooleanSupplier mayRun;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> WorkerPool.daemon("sweeps", task));

    /** @param mayRun whether the next round is due; one that is not is left out, and comes again */
    Sweeps(BooleanSupplier mayRun) {
        this.mayRun = mayRun;
    }

    /** Begins at once with what an earlier process left behind. */
    void begin(FillRequest fill, ExpireRequests expire, SignIn signIn) {
        every(
                OFTEN,
                "filling requests",
                () -> looked(fill.sweep(OFTEN).toCompletableFuture().get(LONGEST_SWEEP_SECONDS, TimeUnit.SECONDS)));
        every(
                OFTEN,
                "expiring requests",
                () -> looked(expire.sweep().toCompletableFuture().get(LONGEST_SWEEP_SECONDS, TimeUnit.SECONDS)));
        every(SELDOM, "forgetting sessions and devices", signIn::forgetEnded);
    }

    /** After a rotation: chains that do not grow go over to the new key, and the old one is destroyed. */
    void leadOver(JdbcStore store, KeyRing keys, InstantSource clock) {
        every(OFTEN, "leading chains over to the present key", () -> {
            keys.refresh();
            return store.leadOverIdleChains(LED_OVER_AT_ONCE)
                    .toCompletableFuture()
                    .get(LONGEST_SWEEP_SECONDS, TimeUnit.SECONDS);
        });
        every(
                SELDOM,
                "destroying signing keys that are not needed any more",
                () -> store.sealedKeys().destroyUnused(clock.instant().minus(UNTIL_DESTROYED)));
    }

    /** Idempotency keys whose window is over are forgotten. */
    void forgetReplays(JdbcStore store, InstantSource clock) {
        every(SELDOM, "forgetting idempotency keys", () -> store.removeOldReplays(clock.instant()));
    }

    /** Calls that were counted for the caps of days that are over are forgotten. */
    void forgetDailyCalls(JdbcStore store, InstantSource clock) {
        every(SELDOM, "forgetting the calls of past days", () -> store.removeOldDailyCalls(clock.instant()));
    }

    /** Anchors, the first at once; one node writes them as long as it lives. */
    void anchor(Anchors anchors, Duration pause) {
        every(EACH_MINUTE, "anchoring chains", () -> anchors.write(pause));
    }

    @Override
    public void close() {
        WorkerPool.finish(thread);
    }

    /** Requests that fail together mostly fail for one reason, so that one of them tells it. */
    private static int looked(SweepResult round) {
        if (!round.failures().isEmpty() && !isStopped(round.failures().get(0).cause())) {
            Failed first = round.failures().get(0);
            LOG.warn(
                    "Nothing could be done for {} of {} requests, they come again; the first is {} of user {}",
                    round.failures().size(),
                    round.lookedAt(),
                    first.request().requestId(),
                    first.request().userId().value(),
                    first.cause());
        }
        return round.lookedAt();
    }

    /** The operator knows already that nothing is written for the time being. */
    private static boolean isStopped(Throwable cause) {
        return cause instanceof Unavailable away && away.isStopped();
    }

    private void every(Duration pause, String what, Sweep sweep) {
        thread.scheduleWithFixedDelay(() -> attempt(what, sweep), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void attempt(String what, Sweep sweep) {
        if (!mayRun.getAsBoolean()) {
            return;
        }
        try {
            int done = sweep.once();
            if (done > 0) {
                LOG.info("Sweep {}: {}", what, done);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (Unavailable away) {
            LOG.atLevel(away.isStopped() ? Level.DEBUG : Level.WARN)
                    .setCause(away)
                    .log("Sweep {} failed and comes again", what);
        } catch (Exception failed) {
            LOG.warn("Sweep {} failed and comes again", what, failed);
        }
    }

    /** One round; answers how many things it looked at. */
    private interface Sweep {
        int once() throws Exception;
    }
}
