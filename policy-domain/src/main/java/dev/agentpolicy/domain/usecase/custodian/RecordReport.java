package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.LoadSpec.SyncLoad;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.portfolio.CanonicalHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.DriftDetector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records what a custodian reported, unless the account's view of it has changed since it was asked.
 *
 * @param known what the account knew then
 * @param report what the custodian said; null when it failed
 * @param failure why it said nothing; null when it did
 * @param times how often custodians are synced
 * @param load what is loaded for it
 * @param closing the client order id of the request that the user closes; null for none
 */
record RecordReport(
        KnownState known,
        @Nullable CustodianReport report,
        @Nullable CustodianFailure failure,
        SyncTimes times,
        SyncLoad load,
        @Nullable String closing)
        implements Change<RecordReport.Recorded> {

    /**
     * What became of a report.
     *
     * @param isFinal whether the custodian need not be asked again at once
     * @param nextSync when to ask for the orders under way; null when there are none
     * @param requests the requests that had an order under way there, as they are now
     */
    record Recorded(
            SyncResult result, boolean isFinal, @Nullable Instant nextSync, List<ServiceRequest> requests) {

        /** The report was dropped. */
        static final Recorded ASK_AGAIN = new Recorded(SyncResult.CONTENDED, false, null, List.of());

        /** Some of many fills were recorded. */
        static final Recorded MORE_FILLS = new Recorded(SyncResult.FAILED, false, null, List.of());

        /** A request as it is now; null when it had no order under way. */
        @Nullable
        ServiceRequest request(long id) {
            return requests.stream()
                    .filter(request -> request.id() == id)
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * What the account knew of a custodian when it was asked.
     *
     * @param holdings null before the first sync, and for an unknown custodian
     * @param connection null for a paper custodian
     * @param open our orders that are not over
     * @param asked those of them that may have been sent, so that the custodian is asked for them
     * @param takenBack those of them that the custodian is to cancel
     * @param underWay the requests of the open orders
     * @param keys the keys of these requests
     */
    record KnownState(
            String custodian,
            @Nullable CustodianHoldings holdings,
            @Nullable CustodianConnection connection,
            List<Order> open,
            List<Order> asked,
            List<Order> takenBack,
            Set<Long> underWay,
            Set<AgentKeyId> keys) {

        static KnownState of(Account account, String id) {
            Portfolio portfolio = account.portfolio();
            CustodianHoldings holdings =
                    portfolio == null ? null : portfolio.custodian(id).orElse(null);
            CustodianConnection connection = account.connections().find(id).orElse(null);
            List<Order> open = new ArrayList<>();
            List<Order> asked = new ArrayList<>();
            List<Order> takenBack = new ArrayList<>();
            Set<Long> underWay = new HashSet<>();
            Set<AgentKeyId> keys = new HashSet<>();
            for (Pending pending : account.underWay(id)) {
                OrderAttempt attempt = pending.order();
                if (attempt != null) {
                    Order order = attempt.order(pending.proposal());
                    open.add(order);
                    if (!attempt.isNeverSent()) {
                        asked.add(order);
                    }
                    underWay.add(pending.id());
                    keys.add(pending.proposal().agentKeyId());
                    boolean isUnwanted = attempt.isUnwanted()
                            || attempt.isOverdue(pending.proposal().trade(), account.now());
                    if (isUnwanted && !attempt.isUnconfirmed()) {
                        takenBack.add(order);
                    }
                }
            }
            return new KnownState(id, holdings, connection, open, asked, takenBack, underWay, keys);
        }

        /** The same, with an order that got its bound. */
        KnownState with(Order bounded) {
            List<Order> orders = open.stream()
                    .map(order -> order.clientOrderId().equals(bounded.clientOrderId()) ? bounded : order)
                    .toList();
            List<Order> sent = Stream.concat(
                            asked.stream()
                                    .filter(order -> !order.clientOrderId().equals(bounded.clientOrderId())),
                            Stream.of(bounded))
                    .toList();
            return new KnownState(custodian, holdings, connection, orders, sent, takenBack, underWay, keys);
        }

        SyncQuery query(UserId user) {
            String name = connection != null ? connection.name() : holdings == null ? custodian : holdings.name();
            CustodianKind kind = connection != null ? connection.kind() : CustodianKind.PAPER;
            Instant since = connection != null ? connection.fillsSince() : Instant.EPOCH;
            return new SyncQuery(user, custodian, name, kind, holdings == null ? 0 : holdings.revision(), since, asked);
        }

        /** Whether the account still knows the same. */
        boolean isCurrent(Account account) {
            KnownState now = of(account, custodian);
            return Objects.equals(holdings, now.holdings)
                    && Objects.equals(connection, now.connection)
                    && open.equals(now.open);
        }
    }

    @Override
    public LoadSpec needs() {
        return LoadSpec.sync(load);
    }

    @Override
    public Outcome<Recorded> apply(Account account) {
        if (!known.isCurrent(account)) {
            return Outcome.nothing(Recorded.ASK_AGAIN);
        }
        if (report != null) {
            return reported(account, report);
        }
        CustodianFailure failed = Objects.requireNonNull(failure);
        return failed(account, failed.isRefusal() ? ConnectionStatus.REFUSED : ConnectionStatus.STALE, failed.reason());
    }

    private Outcome<Recorded> failed(Account account, ConnectionStatus how, String reason) {
        CustodianConnection connection = known.connection();
        boolean isUnknown = connection == null && known.holdings() == null && how == ConnectionStatus.REFUSED;
        Recorded recorded = new Recorded(
                isUnknown ? SyncResult.UNKNOWN : SyncResult.FAILED,
                true,
                null,
                List.copyOf(account.underWay(load.custodian())));
        CustodianConnection after = connection == null ? null : connection.failed(how, reason);
        return after == null || after.equals(connection)
                ? Outcome.nothing(recorded)
                : new Outcome.Recording()
                        .connections(account.connections().with(after))
                        .answer(receipts -> recorded);
    }

    private Outcome<Recorded> reported(Account account, CustodianReport report) {
        Optional<String> problem = known.connection() == null ? Optional.empty() : report.problem();
        if (problem.isPresent()) {
            return failed(account, ConnectionStatus.STALE, problem.get());
        }
        AssetResolver resolver = KnownAssets.resolver(account.portfolio(), account.ips(), List.of());
        List<RecordedFill> fills = newFills(account, report, resolver);
        if (!report.isComplete()) {
            return new Progress(account, fills).recordFillsOnly(report);
        }
        Reading<CustodianHoldings> read = CanonicalHoldings.of(report.holdings(), resolver, account.portfolio());
        return read.fold(
                holdings -> holdings.freeCash().isBelow(Usd.ZERO)
                        ? failed(
                                account,
                                ConnectionStatus.REFUSED,
                                "The open orders at " + holdings.name() + " exceed its cash.")
                        : new Progress(account, fills).record(report, holdings),
                problems -> failed(account, ConnectionStatus.REFUSED, sentence(problems)));
    }

    private static String sentence(List<Problem> problems) {
        return problems.stream().map(Problem::message).collect(Collectors.joining(" "));
    }

    /** The fills that are not recorded, with canonical symbols, the oldest first. */
    private List<RecordedFill> newFills(Account account, CustodianReport report, AssetResolver resolver) {
        CustodianConnection connection = known.connection();
        Map<String, RecordedFill> found = new HashMap<>();
        for (Fill fill : report.fills()) {
            boolean isEarlier = connection != null && fill.executedAt().isBefore(connection.connectedAt());
            Proposal proposal = proposal(account, fill, resolver);
            // The custodian's clock may be slow, and an order of ours cannot be earlier than the connection.
            if ((proposal != null || !isEarlier) && !account.fills().contains(fill.id())) {
                found.put(
                        fill.id(),
                        proposal == null
                                ? new RecordedFill(fill.of(resolver.canonical(fill.symbol())), null)
                                : new RecordedFill(fill.of(proposal.trade().asset()), proposal.id()));
            }
        }
        return found.values().stream()
                .sorted(Comparator.comparing(
                                (RecordedFill recorded) -> recorded.fill().executedAt())
                        .thenComparing(recorded -> recorded.fill().id()))
                .toList();
    }

    /**
     * The proposal that a fill executes; null when the user traded. Another installation may use the same account and name
     * its orders alike, and a custodian may have made another order of ours, so the trade must be the proposed one.
     */
    private static @Nullable Proposal proposal(Account account, Fill fill, AssetResolver resolver) {
        OptionalLong named = OrderAttempt.requestId(fill.clientOrderId());
        Proposal proposal = named.isEmpty()
                ? null
                : account.request(named.getAsLong())
                        .map(ServiceRequest::proposal)
                        .orElse(null);
        if (proposal == null || !OrderAttempt.mayName(proposal, fill.clientOrderId())) {
            return null;
        }
        Trade trade = proposal.trade();
        boolean isSame = trade.action() == fill.action()
                && trade.assetType() == fill.assetType()
                && resolver.canonical(trade.asset()).equals(resolver.canonical(fill.symbol()));
        return isSame ? proposal : null;
    }

    /** The state of the account while a report is recorded. */
    private final class Progress {
        private final Account account;
        private final List<RecordedFill> fills;
        private final Map<AgentKeyId, Tally> tallies = new HashMap<>();
        private final Map<Long, ServiceRequest> requests = new HashMap<>();

        Progress(Account account, List<RecordedFill> fills) {
            this.account = account;
            this.fills = fills;
        }

        /** Records some of many fills, before the rest is asked for. The reported holdings follow with the last of them. */
        Outcome<Recorded> recordFillsOnly(CustodianReport report) {
            CustodianConnection connection = known.connection();
            CustodianConnection after =
                    connection == null ? null : connection.readFills(lastFillAt(report), account.now());
            if (fills.isEmpty() && (after == null || after.equals(connection))) {
                return failed(account, ConnectionStatus.STALE, "There are too many fills at once.");
            }
            fills.forEach(this::fill);
            Outcome.Recording recording = recording(afterFills());
            if (after != null) {
                recording.connections(account.connections().with(after));
            }
            return recording.answer(receipts -> Recorded.MORE_FILLS);
        }

        Outcome<Recorded> record(CustodianReport report, CustodianHoldings holdings) {
            fills.forEach(this::fill);
            close(report);
            report.orders().forEach(this::order);
            Outcome.Recording recording = recording(afterReport(holdings));
            withConnection(recording, report);
            Recorded recorded = new Recorded(
                    SyncResult.SYNCED, true, nextSync(), sinceUnderWay().toList());
            return recording.answer(receipts -> recorded);
        }

        private @Nullable Instant nextSync() {
            return sinceUnderWay()
                    .flatMap(
                            now -> now instanceof Pending pending ? Stream.ofNullable(pending.order()) : Stream.empty())
                    .map(order -> times.nextSync(order.acceptedAt(), account.now()))
                    .min(Comparator.naturalOrder())
                    .orElse(null);
        }

        /** The requests that had an order under way, after this report. */
        private Stream<ServiceRequest> sinceUnderWay() {
            return account.underWay(load.custodian()).stream()
                    .map(before -> requests.getOrDefault(before.id(), before));
        }

        private void withConnection(Outcome.Recording recording, CustodianReport report) {
            CustodianConnection connection = known.connection();
            if (connection != null) {
                CustodianConnection read = connection.readFills(lastFillAt(report), account.now());
                recording.connections(account.connections()
                        .with(read.synced(report.holdings().syncedAt(), times.maxAge(), report.warning())));
            }
        }

        private static @Nullable Instant lastFillAt(CustodianReport report) {
            return report.fills().stream()
                    .map(Fill::executedAt)
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }

        private Outcome.Recording recording(@Nullable Portfolio after) {
            List<EventDraft> observed = fills.stream()
                    .map(fill -> EventPayloads.tradeObserved(fill, limit(fill)))
                    .toList();
            Outcome.Recording recording = after == null
                    ? new Outcome.Recording().events(observed)
                    : DriftDetector.recording(account, after, observed);
            fills.forEach(recording::fill);
            requests.values().forEach(recording::request);
            tallies.forEach(recording::tally);
            return recording;
        }

        /** The price bound of the order of a fill; null when it had none, and when it is not the last one of its request. */
        private @Nullable Usd limit(RecordedFill recorded) {
            ServiceRequest request = recorded.requestId() == null ? null : request(recorded.requestId());
            OrderAttempt order = request == null ? null : request.lastOrder();
            PriceBound bound = order == null || !isOf(order, recorded.fill()) ? null : order.bound();
            return bound == null ? null : bound.limit();
        }

        private void fill(RecordedFill recorded) {
            Long id = recorded.requestId();
            ServiceRequest request = id == null ? null : request(id);
            if (request == null) {
                return;
            }
            Proposal proposal = request.proposal();
            Fill fill = recorded.fill();
            Pending waiting = waitingAfter(request, fill);
            if (waiting != null) {
                Usd all = proposal.trade().amount();
                tallies.put(
                        proposal.agentKeyId(),
                        tally(proposal)
                                .plusFill(proposal.trade(), fill.amountUsd(), all)
                                .minusPending(
                                        proposal.trade(),
                                        all.minus(fill.amountUsd()).max(Usd.ZERO)));
                requests.put(id, waiting.filledAfterAll(fill, account.now()));
                return;
            }
            OrderAttempt order = request instanceof Pending pending
                    ? pending.order()
                    : request instanceof Completed done ? done.order() : null;
            Usd rest = Usd.ZERO;
            if (order != null && isOf(order, fill)) {
                if (request instanceof Pending pending) {
                    rest = proposal.trade().amount().minus(order.filledUsd()).max(Usd.ZERO);
                    requests.put(id, pending.plus(List.of(fill)));
                } else if (request instanceof Completed done) {
                    requests.put(id, done.plus(List.of(fill)));
                }
            }
            tallies.put(proposal.agentKeyId(), tally(proposal).plusFill(proposal.trade(), fill.amountUsd(), rest));
        }

        private static boolean isOf(OrderAttempt order, Fill fill) {
            return order.clientOrderId().equals(fill.clientOrderId());
        }

        /** The request if it waits for its user again since the order ended that this is a fill of; null otherwise. */
        private static @Nullable Pending waitingAfter(ServiceRequest request, Fill fill) {
            OrderAttempt ended = request instanceof Pending pending ? pending.ended() : null;
            return ended != null && isOf(ended, fill) ? (Pending) request : null;
        }

        private void order(OrderReport report) {
            Pending pending = underWay(report.clientOrderId());
            OrderAttempt attempt = pending == null ? null : pending.order();
            if (pending != null && attempt != null) {
                changed(pending, attempt, pending.with(attempt.reported(report), account.now()));
            }
        }

        /** Ends the request that the user closes, if its order is over at the custodian or cannot come to be there. */
        private void close(CustodianReport report) {
            Pending pending = closing == null ? null : underWay(closing);
            OrderAttempt attempt = pending == null ? null : pending.order();
            if (pending == null || attempt == null) {
                return;
            }
            OrderReport order = report.orders().stream()
                    .filter(each -> each.clientOrderId().equals(closing))
                    .findFirst()
                    .orElse(null);
            boolean isOver = order == null
                    ? attempt.cannotArrive(report.holdings().syncedAt())
                    : order.state().isOver();
            if (isOver) {
                changed(pending, attempt, pending.closed(order, account.now()));
            }
        }

        private @Nullable Pending underWay(String clientOrderId) {
            OptionalLong id = OrderAttempt.requestId(clientOrderId);
            if (id.isEmpty() || !(request(id.getAsLong()) instanceof Pending pending)) {
                return null;
            }
            OrderAttempt attempt = pending.order();
            return attempt != null && attempt.clientOrderId().equals(clientOrderId) ? pending : null;
        }

        private void changed(Pending pending, OrderAttempt attempt, ServiceRequest after) {
            if (after.equals(pending)) {
                return;
            }
            requests.put(pending.id(), after);
            if (!(after instanceof Pending)) {
                Proposal proposal = pending.proposal();
                Usd rest = proposal.trade().amount().minus(attempt.filledUsd()).max(Usd.ZERO);
                tallies.put(proposal.agentKeyId(), tally(proposal).minusPending(proposal.trade(), rest));
            }
        }

        private @Nullable ServiceRequest request(long id) {
            ServiceRequest changed = requests.get(id);
            return changed != null ? changed : account.request(id).orElse(null);
        }

        /** The tally keeps its day, see {@link Account#tallyWithout}. */
        private Tally tally(Proposal proposal) {
            Tally changed = tallies.get(proposal.agentKeyId());
            return changed != null ? changed : account.tallies().getOrDefault(proposal.agentKeyId(), Tally.NONE);
        }

        /** The portfolio after the fills alone, each at its price, so that prices and not trades move the drawdown. */
        private @Nullable Portfolio afterFills() {
            Portfolio before = account.portfolio();
            Portfolio after = before;
            for (RecordedFill recorded : fills) {
                after = after == null ? null : afterFill(after, recorded.fill());
            }
            return before == null || after == null || after.equals(before) ? before : after.at(before.revision() + 1);
        }

        private Portfolio afterFill(Portfolio portfolio, Fill fill) {
            return portfolio
                    .custodian(fill.custodian())
                    .map(holdings -> holdings.after(fill.action(), fill.moved(), fill.amountUsd())
                            .with(openOrders(holdings)))
                    .map(holdings -> portfolio.traded(holdings, fill.moved(), account.now()))
                    .orElse(portfolio);
        }

        private Portfolio afterReport(CustodianHoldings holdings) {
            Portfolio before = account.portfolio();
            CustodianHoldings next = holdings.with(allOpenOrders(holdings));
            if (before == null) {
                return Portfolio.first(next, account.now());
            }
            CustodianHoldings had = before.custodian(next.id()).orElse(null);
            boolean isNoNews = had != null && !next.differsFrom(had) && had.revision() >= next.revision();
            if (isNoNews && (!next.kind().isSynced() || before.isConfirmed(next.id()))) {
                return before;
            }
            Portfolio filled = afterFills();
            CustodianConnection connection = known.connection();
            Instant lastSyncedAt = connection == null ? null : connection.lastSyncedAt();
            Portfolio after = (filled == null ? before : filled).reported(next, lastSyncedAt, account.now());
            return after.at(before.revision() + 1);
        }

        private List<OpenOrder> allOpenOrders(CustodianHoldings reported) {
            List<OpenOrder> all = new ArrayList<>(openOrders(null));
            all.addAll(reported.openOrders());
            return all;
        }

        /** What is not filled of our orders, and the open orders of others that were known before. */
        private List<OpenOrder> openOrders(@Nullable CustodianHoldings before) {
            List<OpenOrder> open = new ArrayList<>();
            sinceUnderWay().forEach(request -> {
                OrderAttempt order = request instanceof Pending pending ? pending.order() : null;
                if (order != null) {
                    open.add(order.openOrder(request.proposal().trade()));
                }
            });
            if (before != null) {
                before.openOrders().stream()
                        .filter(order ->
                                OrderAttempt.requestId(order.clientOrderId()).isEmpty())
                        .forEach(open::add);
            }
            return open;
        }
    }
}
