package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.LoadSpec.SyncLoad;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.BrokerAccounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.custodian.RecordReport.KnownState;
import dev.agentpolicy.domain.usecase.custodian.RecordReport.Recorded;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings an account up to date with a custodian: holdings, the fills of orders, and the ends of orders. What a report
 * says is recorded by one change, so that a completed request has its fills in the chain and in the holdings.
 *
 * <p>A report is dropped when the account's view of the custodian has changed since it was asked for, because the report
 * may be from before that change. Then the custodian is asked again.
 *
 * <p>Methods block until what was heard is durable.
 */
public final class SyncCustodian {
    /** Reports asked for in one sync, when the account changes meanwhile or there are many fills. */
    private static final int MAX_REPORTS = 10;

    private static final String BROKEN =
            "An error in this service keeps its report from being recorded; the operator finds it in the log.";

    private static final String TOO_MANY_FILLS =
            "It lists more fills than one sync records; the next sync goes on after them.";

    private final Accounts accounts;
    private final Custodian custodian;
    private final BrokerAccounts brokerAccounts;
    private final SyncSchedule schedule;
    private final SyncTimes times;
    private final FanOut threads;
    /** The newest sync of each custodian that is being synced, which may not have begun. */
    private final Map<CustodianRef, SharedSync> newest = new HashMap<>();

    /** @param threads ask a custodian for several things at once */
    public SyncCustodian(
            Accounts accounts,
            Custodian custodian,
            BrokerAccounts brokerAccounts,
            SyncSchedule schedule,
            SyncTimes times,
            FanOut threads) {
        this.accounts = accounts;
        this.custodian = custodian;
        this.brokerAccounts = brokerAccounts;
        this.schedule = schedule;
        this.times = times;
        this.threads = threads;
    }

    /**
     * A sync that several calls wait for.
     *
     * @param isOver done when the sync has ended in whatever way, so that the next one may begin
     */
    private record SharedSync(
            AtomicBoolean hasBegun, CompletableFuture<Recorded> result, CompletableFuture<Boolean> isOver) {}

    /** Syncs a custodian, as {@link #shared}. */
    public SyncResult sync(UserId user, String custodianId) {
        return shared(user, custodianId, null).result();
    }

    /**
     * Syncs a custodian. Calls at the same time share one sync, which begins after they came; so there are never more than
     * one under way and one to follow. A bug is thrown, and shown at the custodian as well.
     *
     * @param asked what the account knows of it, for a sync that begins at once; null to read that
     */
    Recorded shared(UserId user, String custodianId, @Nullable KnownState asked) {
        CustodianRef of = new CustodianRef(user, custodianId);
        SharedSync mine = new SharedSync(new AtomicBoolean(), new CompletableFuture<>(), new CompletableFuture<>());
        SharedSync known;
        boolean isShared;
        synchronized (newest) {
            known = newest.get(of);
            isShared = known != null && !known.hasBegun.get();
            if (!isShared) {
                newest.put(of, mine);
            }
        }
        if (known != null && isShared) {
            return accounts.await(known.result);
        }
        try {
            if (known != null) {
                accounts.await(known.isOver);
            }
            synchronized (newest) {
                mine.hasBegun.set(true);
            }
            Recorded recorded = sync(user, custodianId, known == null ? asked : null, null);
            mine.result.complete(recorded);
            return recorded;
        } catch (RuntimeException failed) {
            mine.result.completeExceptionally(failed);
            throw failed;
        } finally {
            mine.result.completeExceptionally(new IllegalStateException("The sync ended by an error."));
            synchronized (newest) {
                newest.remove(of, mine);
            }
            mine.isOver.complete(true);
        }
    }

    /** Syncs a custodian, and ends the request of an order that is over there or not known. */
    Recorded close(UserId user, OrderAttempt order) {
        return sync(user, order.custodian(), null, order.clientOrderId());
    }

    /**
     * Syncs a custodian.
     *
     * @param known what the account knows of it; null to read that
     * @param closing the client order id of the request that the user closes; null for none
     */
    private Recorded sync(UserId user, String custodianId, @Nullable KnownState known, @Nullable String closing) {
        try {
            KnownState asked = known == null ? accounts.changeAndWait(user, new Begin(custodianId)) : known;
            Recorded recorded = reported(user, asked, closing);
            for (int reports = 1; !recorded.isFinal() && reports < MAX_REPORTS; reports++) {
                asked = accounts.changeAndWait(user, new Begin(custodianId));
                recorded = reported(user, asked, closing);
            }
            if (recorded.equals(Recorded.MORE_FILLS)) {
                show(user, custodianId, TOO_MANY_FILLS);
            }
            Instant soon = recorded.nextSync();
            if (soon != null && asked.connection() != null) {
                // A custodian with an order under way is synced again soon.
                schedule.sooner(new CustodianRef(user, custodianId), soon);
            }
            return recorded;
        } catch (Unavailable away) {
            throw away;
        } catch (RuntimeException bug) {
            try {
                show(user, custodianId, BROKEN);
            } catch (RuntimeException failed) {
                bug.addSuppressed(failed);
            }
            throw bug;
        }
    }

    /** Shows at a connection why it could not be synced. */
    private void show(UserId user, String custodianId, String error) {
        accounts.changeAndWait(user, account -> {
            CustodianConnection before = account.connections().find(custodianId).orElse(null);
            CustodianConnection after = before == null ? null : before.failed(ConnectionStatus.STALE, error);
            return after == null || after.equals(before)
                    ? Outcome.nothing(false)
                    : new Outcome.Recording()
                            .connections(account.connections().with(after))
                            .answer(receipts -> true);
        });
    }

    /** Asks a custodian once, and records what it says. */
    private Recorded reported(UserId user, KnownState known, @Nullable String closing) {
        threads.each(known.takenBack(), this::takeBack);
        CustodianReport report = null;
        CustodianFailure failure = null;
        try {
            report = custodian.sync(known.query(user));
        } catch (CustodianFailure failed) {
            failure = failed;
        }
        CustodianConnection connection = known.connection();
        if (report != null && connection != null) {
            // Connections from before accounts were claimed get theirs here; one that another user has as well goes on.
            brokerAccounts.claim(user, connection.account());
        }
        List<Fill> fills = report == null ? List.of() : report.fills();
        Set<Long> named = new HashSet<>();
        for (Fill fill : fills) {
            OrderAttempt.requestId(fill.clientOrderId()).ifPresent(named::add);
        }
        Set<String> ids = fills.stream().map(Fill::id).collect(Collectors.toSet());
        SyncLoad load = new SyncLoad(known.custodian(), ids, named, known.keys());
        SyncLoad complete =
                known.underWay().containsAll(named) ? load : accounts.changeAndWait(user, new WithKeys(load));
        return accounts.changeAndWait(user, new RecordReport(known, report, failure, times, complete, closing));
    }

    /** Asks for an unwanted order to be cancelled. The next sync says how it stands, and asks again while it is open. */
    @SuppressWarnings("EmptyCatch")
    void takeBack(Order order) {
        try {
            custodian.cancel(order);
        } catch (CustodianFailure unheard) {
            // Asked for again by the next sync.
        }
    }

    /** Adds the keys of requests that are not under way any more. */
    private record WithKeys(SyncLoad load) implements Change<SyncLoad> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.sync(load);
        }

        @Override
        public Outcome<SyncLoad> apply(Account account) {
            Set<AgentKeyId> keys = new HashSet<>(load.tallies());
            load.requests()
                    .forEach(id -> account.request(id)
                            .ifPresent(request -> keys.add(request.proposal().agentKeyId())));
            return Outcome.nothing(new SyncLoad(load.custodian(), load.fills(), load.requests(), keys));
        }
    }

    private record Begin(String custodian) implements Change<KnownState> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.accepted();
        }

        @Override
        public Outcome<KnownState> apply(Account account) {
            return Outcome.nothing(KnownState.of(account, custodian));
        }
    }
}
