package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.DriftDetector;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.custodian.RecordReport.KnownState;
import dev.agentpolicy.domain.usecase.custodian.RecordReport.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Places the orders of accepted requests, each exactly once, and takes them back. An order has an id made from the
 * request and its acceptance, so it can be placed again after a crash. What becomes of it is told by syncs of its
 * custodian.
 *
 * <p>Right before an order is sent, the account is asked whether its agent may still trade. While all agents or its key are
 * paused it is held, and when its key was revoked it is taken back, unless the custodian has it already.
 *
 * <p>An order is sent only with a price bound. It is made from the custodian's price, committed before the order is sent, and
 * never made again for that order. After a pause the order is sent only if the price is still within it.
 *
 * <p>Methods block until the custodian has answered and what it said is durable. An acceptance is three commits before its
 * order is sent and one after.
 *
 * @param threads place the orders of a sweep
 * @param failures hears why an accepted request was left to the sweep: a bug, or a store that is away. Must not throw
 */
public record ExecuteOrders(
        Accounts accounts,
        RequestQueue requests,
        Custodian custodian,
        SyncCustodian sync,
        FanOut threads,
        BiConsumer<CustodianRef, RuntimeException> failures,
        InstantSource clock) {
    private static final Duration MAX_WAIT_FOR_CANCELS = Duration.ofSeconds(10);
    /** Requests in one sweep; more than a node can have had under way when it crashed. */
    private static final int MAX_PER_SWEEP = 1_000;
    /**
     * A node that was held up for longer since an acceptance leaves its order to the sweep, which reads the request anew.
     */
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    /** An order that is held for longer is not sent any more. */
    private static final Duration MAX_HOLD = Duration.ofHours(24);

    private static final String BEFORE_BOUNDS =
            "The order was accepted before orders had a price bound, so it was not sent; accept the request again.";

    private static final String HELD_TOO_LONG =
            "Its agent was paused for more than 24 hours, so the order was not sent.";

    /** What is asked of a custodian for the order of a request. Its result is the request, or null if that is not known. */
    private interface Step {
        @Nullable
        ServiceRequest take();
    }

    /**
     * Places the order of an accepted request and records what is known of it. The answer is the request after that. If
     * the custodian is away, the request stays accepted and {@link #sweep} places the order again.
     */
    public ServiceRequest execute(Pending accepted) {
        OrderAttempt attempt = accepted.order();
        return attempt == null || clock.instant().isAfter(attempt.acceptedAt().plus(MAX_DELAY))
                ? accepted
                : attempted(accepted, attempt, () -> placed(accepted, attempt));
    }

    /** The request after a step. It is durable by now what the user wants, so no failure may make it look otherwise. */
    private ServiceRequest attempted(Pending wanted, OrderAttempt attempt, Step step) {
        UserId user = wanted.proposal().userId();
        try {
            ServiceRequest after = step.take();
            return after != null ? after : accounts.changeAndWait(user, new ReadRequest(wanted));
        } catch (RuntimeException failed) {
            failures.accept(new CustodianRef(user, attempt.custodian()), failed);
            return wanted;
        }
    }

    private @Nullable ServiceRequest placed(Pending accepted, OrderAttempt attempt) {
        Proposal proposal = accepted.proposal();
        CheckedAgent checked = accounts.changeAndWait(proposal.userId(), new CheckAgent(proposal, attempt, null));
        return switch (checked.next) {
            case PRICE -> priced(proposal, checked.attempt);
            case SEND -> sent(proposal, checked.attempt, checked.known);
            case ASK -> endedUnlessThere(proposal, checked.attempt, null);
            case WAIT -> null;
        };
    }

    /** Makes the bound of an order, or holds the one that it has against the price of now, and sends it. */
    private @Nullable ServiceRequest priced(Proposal proposal, OrderAttempt attempt) {
        Fraction slippage = Objects.requireNonNull(attempt.maxSlippage());
        Order wanted = attempt.unpriced(proposal);
        PriceBound bound = attempt.bound();
        try {
            ReferencePrice now = custodian.price(wanted, slippage);
            if (bound == null) {
                bound = PriceBound.of(wanted, slippage, now, Instants.truncated(clock.instant()));
            } else if (!bound.allows(wanted.action(), now.price())) {
                return unsendable(proposal, attempt, Pending.leftBound(slippage));
            }
        } catch (CustodianFailure failed) {
            return failed.isRefusal() ? unsendable(proposal, attempt, failed.reason()) : null;
        }
        CheckedAgent checked = accounts.changeAndWait(proposal.userId(), new CheckAgent(proposal, attempt, bound));
        if (checked.problem != null) {
            return unsendable(proposal, checked.attempt, checked.problem);
        }
        return checked.next == NextStep.SEND ? sent(proposal, checked.attempt, checked.known) : null;
    }

    /** Ends an order that cannot be sent. One that has a bound may have been sent before. */
    private @Nullable ServiceRequest unsendable(Proposal proposal, OrderAttempt attempt, String why) {
        return attempt.isNeverSent()
                ? accounts.changeAndWait(
                        proposal.userId(), new EndUnplaced(proposal, attempt, new OrderState.Rejected(why)))
                : endedUnlessThere(proposal, attempt, why);
    }

    private @Nullable ServiceRequest sent(Proposal proposal, OrderAttempt attempt, KnownState known) {
        Order order = attempt.order(proposal);
        OrderReport report;
        try {
            report = custodian.place(order);
        } catch (CustodianFailure failed) {
            return failed.isRefusal()
                    ? accounts.changeAndWait(
                            proposal.userId(),
                            new EndUnplaced(proposal, attempt, new OrderState.Rejected(failed.reason())))
                    : null;
        }
        if (report.warning() != null && !report.state().isOver()) {
            // The custodian has it in another form than it was placed.
            sync.takeBack(order);
        }
        return sync.shared(proposal.userId(), attempt.custodian(), known).request(proposal.id());
    }

    /** An order that must not be sent may have been sent before, so its custodian is asked for it first. */
    private @Nullable ServiceRequest endedUnlessThere(Proposal proposal, OrderAttempt attempt, @Nullable String why) {
        Instant askedAt = clock.instant();
        return sync.sync(proposal.userId(), attempt.custodian()) == SyncResult.SYNCED
                ? accounts.changeAndWait(proposal.userId(), new EndHeld(proposal, attempt, askedAt, why))
                : null;
    }

    /**
     * Asks the custodian to cancel the order of an accepted request. The answer is the request as far as it is known
     * then; its order may be under way for a while, and may still be filled.
     */
    public Answer<ServiceRequest> cancel(UserId user, long id) {
        return underWay(user, id, true).map(order -> attempted(order.request, order.attempt, () -> takenBack(order)));
    }

    /**
     * Takes back every order of a user that is under way, also those that were not sent yet. Each is durable before the first
     * custodian is asked. A custodian that does not answer is not waited for long; the next sync asks it again.
     *
     * @return how many
     */
    public int cancelAll(UserId user) {
        List<OrderUnderWay> orders = accounts.changeAndWait(user, new TakeBackAll());
        threads.each(
                orders, order -> attempted(order.request, order.attempt, () -> takenBack(order)), MAX_WAIT_FOR_CANCELS);
        return orders.size();
    }

    /**
     * Ends an accepted request whose order the custodian, asked now, says is over or does not know: completed with what was
     * recorded of it, otherwise rejected. Refused while the order is under way or its custodian does not answer.
     */
    public Answer<ServiceRequest> close(UserId user, long id) {
        return underWay(user, id, false).then(order -> closed(user, order));
    }

    private Answer<ServiceRequest> closed(UserId user, OrderUnderWay order) {
        Recorded heard = sync.close(user, order.attempt);
        ServiceRequest known = heard.request(order.request.id());
        ServiceRequest now = known != null ? known : accounts.changeAndWait(user, new ReadRequest(order.request));
        if (!(now instanceof Pending pending)) {
            return Answer.given(now);
        }
        if (!pending.isAccepted()) {
            return underWay(pending).map(never -> pending);
        }
        String message = "The order is not over at its custodian; cancel it or wait for its end.";
        return heard.result() == SyncResult.SYNCED
                ? Answer.refused(Refusal.of(Refusal.Code.ORDER_UNDER_WAY, message))
                : unanswered();
    }

    /** That a request cannot be closed, since its custodian is silent. */
    public static Answer<ServiceRequest> unanswered() {
        String message = "The custodian does not say how the order stands; try again once it can be synced.";
        return Answer.refused(Refusal.of(Refusal.Code.ORDER_UNDER_WAY, message));
    }

    private Answer<OrderUnderWay> underWay(UserId user, long id, boolean isTakenBack) {
        Optional<ServiceRequest> known = requests.find(user, id);
        return known.isEmpty()
                ? Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no request with this id."))
                : accounts.changeAndWait(user, new UnderWay(known.get().proposal(), isTakenBack));
    }

    private @Nullable ServiceRequest takenBack(OrderUnderWay order) {
        Proposal proposal = order.request.proposal();
        OrderAttempt attempt = order.attempt;
        if (attempt.isNeverSent()) {
            return accounts.changeAndWait(
                    proposal.userId(), new EndUnplaced(proposal, attempt, new OrderState.Cancelled()));
        }
        Instant askedAt = clock.instant();
        try {
            custodian.cancel(attempt.order(proposal));
        } catch (CustodianFailure failed) {
            return failed.isRefusal() ? neverPlaced(proposal, attempt, askedAt) : null;
        }
        return sync.shared(proposal.userId(), attempt.custodian(), null).request(proposal.id());
    }

    /**
     * The order was not at its custodian when it was asked for. A copy that was sent before the user took it back may
     * still have been on its way then, so this is not believed at once.
     */
    private @Nullable ServiceRequest neverPlaced(Proposal proposal, OrderAttempt attempt, Instant askedAt) {
        Instant takenBackAt = attempt.cancelRequestedAt();
        return takenBackAt == null || askedAt.isBefore(takenBackAt.plus(OrderAttempt.LATE_ARRIVAL))
                ? null
                : accounts.changeAndWait(
                        proposal.userId(), new EndUnplaced(proposal, attempt, new OrderState.Cancelled()));
    }

    /**
     * Places orders again that no custodian has confirmed, because of a crash or because the custodian was away, and ends
     * those that are open at a paper custodian for too long. Can run on several nodes at once. Blocks until all custodians have answered.
     *
     * @param olderThan minimum time since the acceptance, so that requests still being executed are left alone
     */
    public SweepResult sweep(Duration olderThan) {
        return SweepResult.each(
                requests.unconfirmed(clock.instant().minus(olderThan), MAX_PER_SWEEP), requests, threads, this::again);
    }

    private void again(ServiceRequest request) {
        OrderAttempt attempt = request instanceof Pending pending ? pending.order() : null;
        if (attempt == null) {
            return;
        }
        Pending pending = (Pending) request;
        if (attempt.isCancelRequested()) {
            takenBack(new OrderUnderWay(pending, attempt));
        } else if (attempt.isUnconfirmed()) {
            placed(pending, attempt);
        } else {
            sync.sync(pending.proposal().userId(), attempt.custodian());
        }
    }

    /** The portfolio without the open order of an attempt. */
    private static Portfolio withoutOrder(Account account, Portfolio portfolio, OrderAttempt attempt) {
        List<OpenOrder> rest = portfolio.custodian(attempt.custodian()).stream()
                .flatMap(holdings -> holdings.openOrders().stream())
                .filter(order -> !order.clientOrderId().equals(attempt.clientOrderId()))
                .toList();
        return portfolio.withOpenOrders(attempt.custodian(), rest, account.now());
    }

    private record ReadRequest(Pending before) implements Change<ServiceRequest> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.request(before.id());
        }

        @Override
        public Outcome<ServiceRequest> apply(Account account) {
            return Outcome.nothing(account.request(before.id()).orElse(before));
        }
    }

    /** What to do with an order that no custodian has confirmed. */
    private enum NextStep {
        /** Its agent may trade, and it needs a price. */
        PRICE,
        /** Its agent may trade, and it has its bound. */
        SEND,
        /** It must not be sent; whether the custodian has it is to be found out. */
        ASK,
        /** Nothing for now. */
        WAIT
    }

    /** The attempt of a pending request, if it is still the one that is meant and no custodian has confirmed it. */
    private static @Nullable OrderAttempt unconfirmed(@Nullable ServiceRequest request, OrderAttempt meant) {
        OrderAttempt now = request instanceof Pending pending ? pending.order() : null;
        return now != null
                        && now.clientOrderId().equals(meant.clientOrderId())
                        && now.isUnconfirmed()
                        && !now.isFilled()
                ? now
                : null;
    }

    private static @Nullable Instant revokedAt(Account account, Proposal proposal) {
        return account.key(proposal.agentKeyId()).map(AgentKey::revokedAt).orElse(null);
    }

    private static boolean isPaused(Account account, Proposal proposal) {
        IpsVersion ips = account.ips();
        return ips != null && ips.ips().isPaused()
                || account.key(proposal.agentKeyId())
                        .filter(key -> key.policy().isPaused())
                        .isPresent();
    }

    /**
     * What to do with an order.
     *
     * @param attempt the order as it is now
     * @param known what the account knows of the custodian
     * @param problem why it cannot be sent; null when it can
     */
    private record CheckedAgent(
            NextStep next,
            OrderAttempt attempt,
            KnownState known,
            @Nullable String problem) {}

    /**
     * Decides whether an order may be sent now, and notes since when it may not.
     *
     * @param bound the bound that it gets unless it has one by now, or that it has and that holds; null when none was made
     */
    private record CheckAgent(
            Proposal proposal,
            OrderAttempt attempt,
            @Nullable PriceBound bound) implements Change<CheckedAgent> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.ofAccepted(proposal);
        }

        @Override
        public Outcome<CheckedAgent> apply(Account account) {
            KnownState known = KnownState.of(account, attempt.custodian());
            // The request is missing if its account was deleted while a sweep ran.
            ServiceRequest request = account.request(proposal.id()).orElse(null);
            OrderAttempt now = unconfirmed(request, attempt);
            if (now == null || now.isCancelRequested() || !(request instanceof Pending pending)) {
                return Outcome.nothing(new CheckedAgent(NextStep.WAIT, attempt, known, null));
            }
            CheckedAgent ask = new CheckedAgent(NextStep.ASK, now, known, null);
            CheckedAgent wait = new CheckedAgent(NextStep.WAIT, now, known, null);
            Instant revokedAt = revokedAt(account, proposal);
            if (revokedAt != null) {
                return Outcome.nothing(isQuiet(revokedAt, account.now()) ? ask : wait);
            }
            boolean isPaused = isPaused(account, proposal);
            if (!isPaused && !now.isFromBeforeBounds()) {
                return sendable(account, pending, now, known);
            }
            Instant heldSince = now.heldSince();
            if (heldSince == null) {
                return new Outcome.Recording()
                        .request(pending.held(account.now()))
                        .answer(receipts -> isPaused ? ask : wait);
            }
            boolean isOver = now.isFromBeforeBounds()
                    ? isQuiet(heldSince, account.now())
                    : account.now().isAfter(heldSince.plus(MAX_HOLD));
            return Outcome.nothing(isOver ? ask : wait);
        }

        private Outcome<CheckedAgent> sendable(Account account, Pending pending, OrderAttempt now, KnownState known) {
            if (now.bound() != null && now.heldSince() == null) {
                return Outcome.nothing(new CheckedAgent(NextStep.SEND, now, known, null));
            }
            if (bound == null) {
                return Outcome.nothing(new CheckedAgent(NextStep.PRICE, now, known, null));
            }
            String lack = lack(account, now);
            if (lack != null) {
                return Outcome.nothing(new CheckedAgent(NextStep.WAIT, now, known, lack));
            }
            Pending after = pending.bounded(now.bound() == null ? bound : now.bound());
            OrderAttempt made = Objects.requireNonNull(after.order());
            return new Outcome.Recording()
                    .request(after)
                    .answer(receipts -> new CheckedAgent(NextStep.SEND, made, known.with(made.order(proposal)), null));
        }

        /** What a buy lacks in cash that no open buy holds, open sells not counted; null when it lacks nothing. */
        private @Nullable String lack(Account account, OrderAttempt now) {
            Portfolio portfolio = account.portfolio();
            CustodianHoldings holdings = portfolio == null
                    ? null
                    : portfolio.custodian(now.custodian()).orElse(null);
            if (!proposal.trade().isBuy()
                    || holdings == null
                    || !holdings.freeCash().isBelow(Usd.ZERO)) {
                return null;
            }
            Usd free = holdings.freeCash().plus(now.ordered()).max(Usd.ZERO);
            return holdings.name() + " has " + free + " USD in cash that no open buy holds; the buy is for "
                    + now.ordered() + " USD.";
        }
    }

    /** Whether no copy of an order can be on its way any more that was sent before a time. */
    private static boolean isQuiet(Instant since, Instant now) {
        return !now.isBefore(since.plus(OrderAttempt.LATE_ARRIVAL));
    }

    /**
     * Ends an order that must not be sent and that its custodian did not know: the request of a revoked key is rejected, any
     * other waits for its user again.
     *
     * @param why the price of now does not fit; null when its agent is paused for too long
     */
    private record EndHeld(
            Proposal proposal,
            OrderAttempt attempt,
            Instant askedAt,
            @Nullable String why) implements Change<ServiceRequest> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<ServiceRequest> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            OrderAttempt now = unconfirmed(request, attempt);
            ServiceRequest after = now == null ? null : after(account, (Pending) request, now);
            return after == null ? Outcome.nothing(request) : endOrder(account, attempt, after);
        }

        private @Nullable ServiceRequest after(Account account, Pending pending, OrderAttempt now) {
            Instant revokedAt = revokedAt(account, proposal);
            if (revokedAt != null) {
                return isQuiet(revokedAt, askedAt) ? pending.takenBack(Rejected.KEY_REVOKED, account.now()) : null;
            }
            Instant heldSince = now.heldSince();
            if (heldSince == null || !isQuiet(heldSince, askedAt)) {
                return null;
            }
            if (why != null) {
                return pending.notSent(why);
            }
            if (now.isFromBeforeBounds()) {
                return pending.notSent(BEFORE_BOUNDS);
            }
            return isPaused(account, proposal) && askedAt.isAfter(heldSince.plus(MAX_HOLD))
                    ? pending.notSent(HELD_TOO_LONG)
                    : null;
        }
    }

    /** Records a request whose order is not under way any more, and takes the order out of the portfolio. */
    private static Outcome<ServiceRequest> endOrder(Account account, OrderAttempt attempt, ServiceRequest after) {
        Portfolio portfolio = account.portfolio();
        Outcome.Recording recording = portfolio == null
                ? new Outcome.Recording()
                : DriftDetector.recording(account, withoutOrder(account, portfolio, attempt), List.of());
        if (!(after instanceof Pending)) {
            Proposal proposal = after.proposal();
            recording.tally(proposal.agentKeyId(), account.tallyWithout(proposal));
        }
        return recording.request(after).answer(receipts -> after);
    }

    /** Ends an order that is not at its custodian and never will be, unless the request has changed since. */
    private record EndUnplaced(Proposal proposal, OrderAttempt attempt, OrderState end)
            implements Change<ServiceRequest> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<ServiceRequest> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            OrderAttempt now = unconfirmed(request, attempt);
            return now == null || !Objects.equals(now.bound(), attempt.bound())
                    ? Outcome.nothing(request)
                    : endOrder(account, attempt, ((Pending) request).ended(end, account.now()));
        }
    }

    /** Asks to take back every order that is under way. */
    private record TakeBackAll() implements Change<List<OrderUnderWay>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.accepted();
        }

        @Override
        public Outcome<List<OrderUnderWay>> apply(Account account) {
            Outcome.Recording recording = new Outcome.Recording();
            List<OrderUnderWay> orders = new ArrayList<>();
            for (Pending before : account.underWay()) {
                Pending after = before.cancelRequested(account.now());
                orders.add(new OrderUnderWay(after, Objects.requireNonNull(after.order())));
                if (!after.equals(before)) {
                    recording.request(after);
                }
            }
            return orders.isEmpty() ? Outcome.nothing(orders) : recording.answer(receipts -> orders);
        }
    }

    /** A request and its order that is under way. */
    private record OrderUnderWay(Pending request, OrderAttempt attempt) {}

    private static Answer<OrderUnderWay> underWay(ServiceRequest request) {
        if (!(request instanceof Pending pending)) {
            String message = "This request is already " + request.status().wireName() + ".";
            return Answer.refused(Refusal.resolved(message, request));
        }
        OrderAttempt attempt = pending.order();
        return attempt == null
                ? Answer.refused(Refusal.notAccepted(
                        "This request was not accepted, so there is no order to cancel; reject it instead.", pending))
                : Answer.given(new OrderUnderWay(pending, attempt));
    }

    /** Reads a request whose order is under way, and asks to take it back if that is wanted; refuses any other. */
    private record UnderWay(Proposal proposal, boolean isTakenBack) implements Change<Answer<OrderUnderWay>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<Answer<OrderUnderWay>> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            if (!isTakenBack || !(request instanceof Pending pending)) {
                return Outcome.nothing(underWay(request));
            }
            Pending after = pending.cancelRequested(account.now());
            return after.equals(pending)
                    ? Outcome.nothing(underWay(pending))
                    : new Outcome.Recording().request(after).answer(receipts -> underWay(after));
        }
    }
}
