package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian.SyncResult;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongUnaryOperator;

/** Syncs the custodians of all users, each about once an interval and by one node at a time. */
public final class SyncDueCustodians {
    /** Custodians that one node syncs at once. */
    public static final int MAX_AT_ONCE = 20;
    /** A lease that is not given back ends after this many intervals. */
    private static final int INTERVALS_OF_LEASE = 2;
    /** Intervals are shortened at random by up to this part, so that nodes and accounts do not fall into step. */
    private static final long JITTER = 10;

    private final Accounts accounts;
    private final SyncSchedule schedule;
    private final CustodianCredentials credentials;
    private final SyncCustodian sync;
    private final SyncTimes times;
    private final UUID node;
    private final InstantSource clock;
    private final LongUnaryOperator randomBelow;

    /**
     * @param node identifies this process
     * @param randomBelow a random number from 0 up to, and without, a bound
     */
    public SyncDueCustodians(
            Accounts accounts,
            SyncSchedule schedule,
            CustodianCredentials credentials,
            SyncCustodian sync,
            SyncTimes times,
            UUID node,
            InstantSource clock,
            LongUnaryOperator randomBelow) {
        this.accounts = accounts;
        this.schedule = schedule;
        this.credentials = credentials;
        this.sync = sync;
        this.times = times;
        this.node = node;
        this.clock = clock;
        this.randomBelow = randomBelow;
    }

    /** Makes all custodians due, for a node that has just started. Blocks. */
    public void begin() {
        schedule.allDue(clock.instant());
    }

    /**
     * Begins to sync custodians that are due, at most {@value #MAX_AT_ONCE}. Blocks on a query.
     *
     * @return completes with their number when all of them are done; there may be more if it is the maximum
     */
    public CompletionStage<Integer> sweep() {
        Instant now = clock.instant();
        Duration lease = times.interval().multipliedBy(INTERVALS_OF_LEASE);
        List<CustodianRef> due = schedule.claim(node, now, lease, now.plus(jittered(times.interval())), MAX_AT_ONCE);
        CompletableFuture<?>[] syncs = due.stream().map(this::synced).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(syncs).thenApply(done -> due.size());
    }

    private Duration jittered(Duration interval) {
        long cut = interval.toMillis() / JITTER;
        return cut == 0 ? interval : interval.minusMillis(randomBelow.applyAsLong(cut));
    }

    /** A failure is written by the sync itself where a user can see it; the custodian is due again in any case. */
    private CompletableFuture<?> synced(CustodianRef custodian) {
        return sync.sync(custodian.user(), custodian.custodian())
                .thenCompose(result ->
                        result == SyncResult.UNKNOWN ? forgotten(custodian) : CompletableFuture.completedFuture(true))
                .handle((done, failed) -> done)
                .thenCompose(done -> schedule.release(node, custodian))
                .handle((done, failed) -> done)
                .toCompletableFuture();
    }

    /** Deletes credentials that a removed connection left behind, but not those of a connection made since. */
    private CompletionStage<Boolean> forgotten(CustodianRef custodian) {
        return accounts.change(custodian.user(), account -> Outcome.nothing(account.connections()))
                .thenCompose(now -> now.find(custodian.custodian()).isEmpty()
                        ? credentials.delete(custodian.user(), custodian.custodian(), now.version())
                        : CompletableFuture.completedFuture(false));
    }
}
