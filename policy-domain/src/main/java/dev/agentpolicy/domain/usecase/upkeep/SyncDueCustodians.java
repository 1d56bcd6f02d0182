package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncResult;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Syncs the custodians of all users, each about once an interval and by one node at a time. Methods block.
 *
 * @param node identifies this process
 * @param randomBelow a random number from 0 up to, and without, a bound
 * @param threads sync custodians at the same time
 * @param failures hears why a custodian could not be synced: a bug, or a store that is away. Must not throw
 */
public record SyncDueCustodians(
        Accounts accounts,
        SyncSchedule schedule,
        CustodianCredentials credentials,
        SyncCustodian sync,
        SyncTimes times,
        UUID node,
        InstantSource clock,
        LongUnaryOperator randomBelow,
        FanOut threads,
        BiConsumer<CustodianRef, RuntimeException> failures) {
    /** Custodians that are synced by one sweep. */
    public static final int MAX_AT_ONCE = FanOut.MAX_AT_ONCE;
    /** A lease that is not given back ends after this many intervals. */
    private static final int INTERVALS_OF_LEASE = 2;
    /** Intervals are shortened at random by up to this part, so that nodes and accounts do not fall into step. */
    private static final long JITTER = 10;

    /** Makes all custodians due, for a node that has just started. */
    public void begin() {
        schedule.allDue(clock.instant());
    }

    /**
     * Syncs custodians that are due, at most {@value #MAX_AT_ONCE}.
     *
     * @return their number; there may be more if it is the maximum
     */
    public int sweep() {
        Instant now = clock.instant();
        Duration lease = times.interval().multipliedBy(INTERVALS_OF_LEASE);
        List<CustodianRef> due = schedule.claim(node, now, lease, now.plus(jittered(times.interval())), MAX_AT_ONCE);
        threads.each(due, custodian -> {
            attempt(custodian, this::sync);
            // Another node takes it, too, when the lease ends.
            attempt(custodian, synced -> schedule.release(node, synced));
        });
        return due.size();
    }

    private void attempt(CustodianRef custodian, Consumer<CustodianRef> work) {
        try {
            work.accept(custodian);
        } catch (RuntimeException failed) {
            failures.accept(custodian, failed);
        }
    }

    private void sync(CustodianRef custodian) {
        if (sync.sync(custodian.user(), custodian.custodian()) == SyncResult.UNKNOWN) {
            forget(custodian);
        }
    }

    /** Deletes credentials that a removed connection left behind, but not those of a connection made since. */
    private void forget(CustodianRef custodian) {
        CustodianConnections now =
                accounts.changeAndWait(custodian.user(), account -> Outcome.nothing(account.connections()));
        if (now.find(custodian.custodian()).isEmpty()) {
            credentials.delete(custodian.user(), custodian.custodian(), now.version());
        }
    }

    private Duration jittered(Duration interval) {
        long cut = interval.toMillis() / JITTER;
        return cut == 0 ? interval : interval.minusMillis(randomBelow.applyAsLong(cut));
    }
}
