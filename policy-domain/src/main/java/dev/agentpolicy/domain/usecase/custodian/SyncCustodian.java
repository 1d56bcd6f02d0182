package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.LoadSpec.SyncLoad;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.custodian.RecordReport.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings an account up to date with a custodian: holdings, the fills of orders, and the ends of orders. What a report
 * says is recorded by one change, so that a completed request has its fills in the chain and in the holdings.
 *
 * <p>A report is dropped when the account's view of the custodian has changed since it was asked for, because the report
 * may be from before that change. Then the custodian is asked again.
 */
public final class SyncCustodian {
    /** Reports asked for in one sync, when the account changes meanwhile or there are many fills. */
    private static final int MAX_REPORTS = 10;

    private final Accounts accounts;
    private final Custodian custodian;
    private final SyncSchedule schedule;
    private final SyncTimes times;

    public SyncCustodian(Accounts accounts, Custodian custodian, SyncSchedule schedule, SyncTimes times) {
        this.accounts = accounts;
        this.custodian = custodian;
        this.schedule = schedule;
        this.times = times;
    }

    /** What a sync came to. */
    public enum SyncResult {
        /** The account is up to date. */
        SYNCED,
        /** The custodian could not be reached or refused; its connection says why. */
        FAILED,
        /** The account changed again and again meanwhile. */
        CONTENDED,
        /** The user has no such custodian. */
        UNKNOWN
    }

    /** Syncs a custodian. Completes when what was heard is durable. */
    public CompletionStage<SyncResult> sync(UserId user, String custodianId) {
        return sync(user, custodianId, null, 1);
    }

    /** Syncs a custodian, and ends the request of an order that is over there or not known. */
    CompletionStage<SyncResult> close(UserId user, OrderAttempt order) {
        return sync(user, order.custodian(), order.clientOrderId(), 1);
    }

    private CompletionStage<SyncResult> sync(UserId user, String custodianId, @Nullable String closing, int attempt) {
        return accounts.change(user, new Begin(custodianId)).thenCompose(known -> ask(user, known, closing, attempt));
    }

    private CompletionStage<SyncResult> ask(UserId user, KnownState known, @Nullable String closing, int attempt) {
        return takeBack(known)
                .thenCompose(done -> custodian.sync(known.query(user)))
                .thenCompose(reply -> record(user, known, reply, closing))
                .thenCompose(recorded -> {
                    if (recorded.isFinal()) {
                        return followed(user, known, recorded);
                    }
                    return attempt < MAX_REPORTS
                            ? sync(user, known.custodian, closing, attempt + 1)
                            : CompletableFuture.completedFuture(SyncResult.CONTENDED);
                });
    }

    /** A custodian with an order under way is synced again soon. */
    private CompletionStage<SyncResult> followed(UserId user, KnownState known, Recorded recorded) {
        Instant soon = recorded.nextSync();
        return soon == null || known.connection == null
                ? CompletableFuture.completedFuture(recorded.result())
                : schedule.sooner(new CustodianRef(user, known.custodian), soon).thenApply(done -> recorded.result());
    }

    /** Asks again for the cancelling of orders that are not wanted. Their state is read by the sync itself. */
    private CompletionStage<?> takeBack(KnownState known) {
        return CompletableFuture.allOf(known.takenBack.stream()
                .map(order -> custodian.cancel(order).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    private CompletionStage<Recorded> record(
            UserId user, KnownState known, CustodianReply<CustodianReport> reply, @Nullable String closing) {
        List<Fill> fills = reply.fold(CustodianReport::fills, refused -> List.<Fill>of(), away -> List.<Fill>of());
        Set<Long> named = new HashSet<>();
        for (Fill fill : fills) {
            OrderAttempt.requestId(fill.clientOrderId()).ifPresent(named::add);
        }
        Set<String> ids = fills.stream().map(Fill::id).collect(Collectors.toSet());
        SyncLoad load = new SyncLoad(known.custodian, ids, named, known.keys);
        CompletionStage<SyncLoad> complete = known.underWay.containsAll(named)
                ? CompletableFuture.completedFuture(load)
                : accounts.change(user, new WithKeys(load));
        return complete.thenCompose(it -> accounts.change(user, new RecordReport(known, reply, times, it, closing)));
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

    /**
     * What the account knew of a custodian when it was asked.
     *
     * @param holdings null before the first sync, and for an unknown custodian
     * @param connection null for a paper custodian
     * @param open our orders that are not over
     * @param takenBack those of them that the custodian is to cancel
     * @param underWay the requests of the open orders
     * @param keys the keys of these requests
     */
    record KnownState(
            String custodian,
            @Nullable CustodianHoldings holdings,
            @Nullable CustodianConnection connection,
            List<Order> open,
            List<Order> takenBack,
            Set<Long> underWay,
            Set<AgentKeyId> keys) {

        static KnownState of(Account account, String id) {
            Portfolio portfolio = account.portfolio();
            CustodianHoldings holdings =
                    portfolio == null ? null : portfolio.custodian(id).orElse(null);
            CustodianConnection connection = account.connections().find(id).orElse(null);
            List<Order> open = new ArrayList<>();
            List<Order> takenBack = new ArrayList<>();
            Set<Long> underWay = new HashSet<>();
            Set<AgentKeyId> keys = new HashSet<>();
            for (Pending pending : account.underWay(id)) {
                OrderAttempt attempt = pending.order();
                if (attempt != null) {
                    open.add(attempt.order(pending.proposal()));
                    underWay.add(pending.id());
                    keys.add(pending.proposal().agentKeyId());
                    if (attempt.isUnwanted() && !attempt.isUnconfirmed()) {
                        takenBack.add(attempt.order(pending.proposal()));
                    }
                }
            }
            return new KnownState(id, holdings, connection, open, takenBack, underWay, keys);
        }

        SyncQuery query(UserId user) {
            String name = connection != null ? connection.name() : holdings == null ? custodian : holdings.name();
            CustodianKind kind = connection != null ? connection.kind() : CustodianKind.PAPER;
            Instant since = connection != null ? connection.fillsSince() : Instant.EPOCH;
            return new SyncQuery(user, custodian, name, kind, holdings == null ? 0 : holdings.revision(), since, open);
        }

        /** Whether the account still knows the same. */
        boolean isCurrent(Account account) {
            KnownState now = of(account, custodian);
            return Objects.equals(holdings, now.holdings)
                    && Objects.equals(connection, now.connection)
                    && open.equals(now.open);
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
