package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.anchor.Anchors;
import dev.agentpolicy.app.guard.RollbackGuard;
import dev.agentpolicy.app.guard.Scheduler;
import dev.agentpolicy.app.push.PushOutbox;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.SweepResult.Failed;
import dev.agentpolicy.domain.usecase.connection.GrantTokens;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.signin.MailLinks;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.upkeep.BringIntoForce;
import dev.agentpolicy.domain.usecase.upkeep.ExpireRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic work of a node: it places orders that no custodian has confirmed, rejects requests whose time is over, brings
 * policies into force that waited, and deletes ended sessions, expired idempotency keys and old portfolio revisions. All nodes
 * may do it at the same time.
 */
final class Sweeps implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);
    private static final Duration EACH_SECOND = Duration.ofSeconds(1);
    private static final Duration OFTEN = Duration.ofSeconds(5);
    private static final Duration EACH_MINUTE = Duration.ofMinutes(1);
    private static final Duration SELDOM = Duration.ofMinutes(10);
    private static final Duration EACH_HOUR = Duration.ofHours(1);
    private static final long MAX_SWEEP_SECONDS = 30;
    private static final int MAX_ROLLOVERS_AT_ONCE = 1_000;
    /** After this time every node has read the current key, or has stopped signing. */
    private static final Duration UNTIL_DESTROYED = Duration.ofMinutes(10);

    private final BooleanSupplier mayRun;
    private final Scheduler thread = new Scheduler("sweeps");
    private CompletableFuture<?> placing = CompletableFuture.completedFuture(null);

    /** @param mayRun whether rounds may run now; otherwise they are skipped */
    Sweeps(BooleanSupplier mayRun) {
        this.mayRun = mayRun;
    }

    /** Starts the sweeps of requests and sessions; the first round is immediate. */
    void begin(
            ExecuteOrders orders,
            Executor asking,
            ExpireRequests expire,
            BringIntoForce schedules,
            SignIn signIn,
            MailLinks links) {
        every(OFTEN, "placing orders", () -> place(orders, asking));
        every(OFTEN, "expiring requests", () -> looked(expire.sweep()));
        every(OFTEN, "bringing policies into force that waited", schedules::sweep);
        every(SELDOM, "forgetting sessions and devices", signIn::forgetEnded);
        every(SELDOM, "forgetting links of mails", links::forgetExpired);
    }

    /** Tells users of requests whose digest or quiet hours are over. */
    void push(PushOutbox pushes) {
        every(OFTEN, "telling users of requests on devices", pushes::tellDue);
    }

    /** Custodians may take longer to answer than the other sweeps can wait. */
    private int place(ExecuteOrders orders, Executor asking) {
        if (placing.isDone()) {
            placing = CompletableFuture.runAsync(
                    () -> Scheduler.attempt("Sweep placing orders", () -> looked(orders.sweep(OFTEN))), asking);
        }
        return 0;
    }

    /** After a rotation: moves idle chains to the new key, and destroys keys that are no longer needed. */
    void rollOverKeys(JdbcStore store, KeyRing keys, InstantSource clock) {
        every(OFTEN, "moving idle chains to the current key", () -> {
            keys.refresh();
            return store.leadOverIdleChains(MAX_ROLLOVERS_AT_ONCE)
                    .toCompletableFuture()
                    .get(MAX_SWEEP_SECONDS, TimeUnit.SECONDS);
        });
        every(
                SELDOM,
                "destroying signing keys that are not needed any more",
                () -> store.sealedKeys().destroyUnused(clock.instant().minus(UNTIL_DESTROYED)));
    }

    /**
     * Deletes what is over: challenges, tokens, idempotency keys, the calls of past days, and all portfolio revisions of a past day
     * but its last.
     */
    void forgetOld(JdbcStore store, PasskeyProofs proofs, GrantTokens tokens, InstantSource clock) {
        every(SELDOM, "forgetting challenges of passkeys", proofs::forgetExpired);
        every(SELDOM, "forgetting tokens and clients of connections", tokens::forgetOld);
        every(SELDOM, "forgetting idempotency keys", () -> store.removeOldReplays(clock.instant()));
        every(SELDOM, "forgetting the calls of past days", () -> store.removeOldDailyCalls(clock.instant()));
        every(EACH_HOUR, "forgetting portfolio revisions", () -> store.removeOldRevisions(clock.instant()));
    }

    /** Compares the heads whose worker was away at the start, until all are compared. */
    void compareRest(RollbackGuard rollback) {
        if (rollback.isIncomplete()) {
            every(EACH_SECOND, "comparing chains with their records", rollback::compareRest);
        }
    }

    /** Writes anchors, the first one at once; of several nodes one writes them. */
    void anchor(Anchors anchors, Duration pause) {
        every(EACH_MINUTE, "anchoring chains", () -> anchors.write(pause));
    }

    @Override
    public void close() {
        thread.close();
    }

    /** Logs only the first of several failures, because they mostly have one cause. */
    private static int looked(SweepResult round) {
        if (!round.failures().isEmpty() && !isStopped(round.failures().get(0).cause())) {
            Failed first = round.failures().get(0);
            LOG.warn(
                    "Nothing could be done for {} of {} requests, they come again; the first is {} of user {}",
                    round.failures().size(),
                    round.examined(),
                    first.request().requestId(),
                    first.request().userId().value(),
                    first.cause());
        }
        return round.examined();
    }

    /** Whether writing is stopped on purpose, which is logged elsewhere. */
    private static boolean isStopped(Throwable cause) {
        return cause instanceof Unavailable away && away.isStopped();
    }

    private void every(Duration pause, String what, Sweep sweep) {
        thread.repeat("Sweep " + what, Duration.ZERO, pause, () -> {
            int done = mayRun.getAsBoolean() ? sweep.once() : 0;
            if (done > 0) {
                LOG.info("Sweep {}: {}", what, done);
            }
        });
    }

    /** A round of a sweep; returns the number of items it looked at. */
    private interface Sweep {
        int once() throws Exception;
    }
}
