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
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.custodian.RecordReport.KnownState;
import dev.agentpolicy.domain.usecase.custodian.RecordReport.Recorded;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
 *
 * @param threads ask a custodian for several things at once
 */
public record SyncCustodian(
        Accounts accounts, Custodian custodian, SyncSchedule schedule, SyncTimes times, FanOut threads) {
    /** Reports asked for in one sync, when the account changes meanwhile or there are many fills. */
    private static final int MAX_REPORTS = 10;

    private static final String BROKEN =
            "An error in this service keeps its report from being recorded; the operator finds it in the log.";

    /** Syncs a custodian. A bug is thrown, and shown at the custodian as well. */
    public SyncResult sync(UserId user, String custodianId) {
        return sync(user, custodianId, null, null).result();
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
    Recorded sync(UserId user, String custodianId, @Nullable KnownState known, @Nullable String closing) {
        try {
            KnownState asked = known == null ? accounts.changeAndWait(user, new Begin(custodianId)) : known;
            Recorded recorded = reported(user, asked, closing);
            for (int reports = 1; !recorded.isFinal() && reports < MAX_REPORTS; reports++) {
                asked = accounts.changeAndWait(user, new Begin(custodianId));
                recorded = reported(user, asked, closing);
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
            show(user, custodianId, bug);
            throw bug;
        }
    }

    private void show(UserId user, String custodianId, RuntimeException bug) {
        try {
            accounts.changeAndWait(user, account -> {
                CustodianConnection before =
                        account.connections().find(custodianId).orElse(null);
                CustodianConnection after = before == null ? null : before.failed(ConnectionStatus.STALE, BROKEN);
                return after == null || after.equals(before)
                        ? Outcome.nothing(false)
                        : new Outcome.Recording()
                                .connections(account.connections().with(after))
                                .answer(receipts -> true);
            });
        } catch (RuntimeException failed) {
            bug.addSuppressed(failed);
        }
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
