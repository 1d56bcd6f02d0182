package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian.SyncResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Places the orders of accepted requests, each exactly once, and takes them back. An order has an id made from the
 * request and its acceptance, so it can be placed again after a crash. What becomes of it is told by syncs of its
 * custodian.
 *
 * <p>Right before an order is sent, the account is asked whether its agent may still trade. While all agents or its key are
 * paused it is held, and when its key was revoked it is taken back, unless the custodian has it already.
 */
public final class ExecuteOrders {
    /** Requests in one sweep; more than a node can have had under way when it crashed. */
    private static final int MAX_PER_SWEEP = 1_000;
    /**
     * A node that was held up for longer since an acceptance leaves its order to the sweep, which reads the request anew.
     */
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    /** An order that is held for longer is not sent any more. */
    private static final Duration MAX_HOLD = Duration.ofHours(24);

    private static final String HELD_TOO_LONG =
            "Its agent was paused for more than 24 hours, so the order was not sent.";

    private final Accounts accounts;
    private final RequestQueue requests;
    private final Custodian custodian;
    private final SyncCustodian sync;
    private final InstantSource clock;

    public ExecuteOrders(
            Accounts accounts, RequestQueue requests, Custodian custodian, SyncCustodian sync, InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.custodian = custodian;
        this.sync = sync;
        this.clock = clock;
    }

    /**
     * Places the order of an accepted request and records what is known of it. The answer is the request after that. If
     * the custodian is away, the request stays accepted and {@link #sweep} places the order again.
     */
    public CompletionStage<ServiceRequest> execute(Pending accepted) {
        OrderAttempt attempt = accepted.order();
        if (attempt == null || clock.instant().isAfter(attempt.acceptedAt().plus(MAX_DELAY))) {
            return CompletableFuture.completedFuture(accepted);
        }
        // The acceptance is durable by now, so not even a bug of the custodian may make it look as if it had failed.
        return CompletableFuture.completedFuture(accepted)
                .thenCompose(this::placed)
                .thenCompose(done -> read(accepted))
                .exceptionally(failed -> accepted);
    }

    /** The request as it is now. */
    private CompletionStage<ServiceRequest> read(Pending before) {
        return accounts.change(before.proposal().userId(), new ReadRequest(before));
    }

    private CompletionStage<?> placed(Pending accepted) {
        OrderAttempt attempt = accepted.order();
        if (attempt == null) {
            return CompletableFuture.completedFuture(accepted);
        }
        Proposal proposal = accepted.proposal();
        return accounts.change(proposal.userId(), new CheckAgent(proposal, attempt))
                .thenCompose(next -> next(next, proposal, attempt));
    }

    private CompletionStage<?> next(NextStep step, Proposal proposal, OrderAttempt attempt) {
        return switch (step) {
            case SEND -> custodian.place(attempt.order(proposal)).thenCompose(reply -> after(proposal, attempt, reply));
            case ASK -> endedUnlessThere(proposal, attempt);
            case WAIT -> CompletableFuture.completedFuture(attempt);
        };
    }

    /** An order that must not be sent may have been sent before, so its custodian is asked for it first. */
    private CompletionStage<?> endedUnlessThere(Proposal proposal, OrderAttempt attempt) {
        Instant askedAt = clock.instant();
        return sync.sync(proposal.userId(), attempt.custodian())
                .<CompletionStage<?>>thenApply(result -> result == SyncResult.SYNCED
                        ? accounts.change(proposal.userId(), new EndHeld(proposal, attempt, askedAt))
                        : CompletableFuture.completedFuture(attempt))
                .thenCompose(ended -> ended);
    }

    private CompletionStage<?> after(Proposal proposal, OrderAttempt attempt, CustodianReply<OrderReport> reply) {
        return reply.<CompletionStage<?>>fold(
                report -> unwanted(proposal, attempt, report)
                        .thenCompose(done -> sync.sync(proposal.userId(), attempt.custodian())),
                refused -> accounts.change(
                        proposal.userId(),
                        new EndUnplaced(proposal, attempt, new OrderState.Rejected(refused.reason()))),
                CompletableFuture::completedFuture);
    }

    /** An order that the custodian has in another form than it was placed is cancelled at once if it is open. */
    private CompletionStage<?> unwanted(Proposal proposal, OrderAttempt attempt, OrderReport report) {
        return report.warning() == null || report.state().isOver()
                ? CompletableFuture.completedFuture(report)
                : custodian.cancel(attempt.order(proposal));
    }

    /**
     * Asks the custodian to cancel the order of an accepted request. The answer is the request as far as it is known
     * then; its order may be under way for a while, and may still be filled.
     */
    public CompletionStage<Answer<ServiceRequest>> cancel(UserId user, long id) {
        return underWay(user, id, (account, pending) -> takeBack(account, pending))
                .thenCompose(answer -> answer.fold(
                        pending -> takenBack(pending)
                                .thenCompose(done -> read(pending))
                                .exceptionally(failed -> pending)
                                .thenApply(Answer::given),
                        refusal -> CompletableFuture.completedFuture(Answer.refused(refusal))));
    }

    private static Outcome<Answer<Pending>> takeBack(Account account, Pending pending) {
        Pending after = pending.cancelRequested(account.now());
        return after.equals(pending)
                ? Outcome.nothing(Answer.given(pending))
                : new Outcome.Recording().request(after).answer(receipts -> Answer.given(after));
    }

    /**
     * Ends an accepted request whose order the custodian, asked now, says is over or does not know: completed with what was
     * recorded of it, otherwise rejected. Refused while the order is under way or its custodian does not answer.
     */
    public CompletionStage<Answer<ServiceRequest>> close(UserId user, long id) {
        return underWay(user, id, (account, pending) -> Outcome.nothing(Answer.given(pending)))
                .thenCompose(answer -> answer.fold(
                        this::closed, refusal -> CompletableFuture.completedFuture(Answer.refused(refusal))));
    }

    private CompletionStage<Answer<ServiceRequest>> closed(Pending pending) {
        OrderAttempt attempt = pending.order();
        return attempt == null
                ? CompletableFuture.completedFuture(Answer.refused(notAccepted(pending)))
                : sync.close(pending.proposal().userId(), attempt)
                        .thenCompose(result -> read(pending).thenApply(now -> closed(now, result)));
    }

    private static Answer<ServiceRequest> closed(ServiceRequest now, SyncResult result) {
        String message = result == SyncResult.SYNCED
                ? "The order is not over at its custodian; cancel it or wait for its end."
                : "The custodian does not say how the order stands; try again once it can be synced.";
        return now.fold(
                pending -> Answer.refused(
                        pending.isAccepted()
                                ? Refusal.of(Refusal.Code.ORDER_UNDER_WAY, message)
                                : notAccepted(pending)),
                Answer::given,
                Answer::given);
    }

    private static Refusal notAccepted(Pending pending) {
        return Refusal.notAccepted(
                "This request was not accepted, so there is no order to cancel; reject it instead.", pending);
    }

    private CompletionStage<Answer<Pending>> underWay(
            UserId user, long id, BiFunction<Account, Pending, Outcome<Answer<Pending>>> work) {
        Optional<ServiceRequest> known = requests.find(user, id);
        return known.isEmpty()
                ? CompletableFuture.completedFuture(
                        Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no request with this id.")))
                : accounts.change(user, new UnderWay(known.get().proposal(), work));
    }

    private CompletionStage<?> takenBack(Pending pending) {
        OrderAttempt attempt = pending.order();
        if (attempt == null) {
            return CompletableFuture.completedFuture(pending);
        }
        Proposal proposal = pending.proposal();
        Instant askedAt = clock.instant();
        return custodian
                .cancel(attempt.order(proposal))
                .thenCompose(reply -> reply.<CompletionStage<?>>fold(
                        report -> sync.sync(proposal.userId(), attempt.custodian()),
                        unknown -> neverPlaced(proposal, attempt, askedAt),
                        CompletableFuture::completedFuture));
    }

    /**
     * The order was not at its custodian when it was asked for. A copy that was sent before the user took it back may
     * still have been on its way then, so this is not believed at once.
     */
    private CompletionStage<?> neverPlaced(Proposal proposal, OrderAttempt attempt, Instant askedAt) {
        Instant takenBackAt = attempt.cancelRequestedAt();
        return takenBackAt == null || askedAt.isBefore(takenBackAt.plus(OrderAttempt.LATE_ARRIVAL))
                ? CompletableFuture.completedFuture(attempt)
                : accounts.change(proposal.userId(), new EndUnplaced(proposal, attempt, new OrderState.Cancelled()));
    }

    /**
     * Places orders again that no custodian has confirmed, because of a crash or because the custodian was away. Can run
     * on several nodes at once.
     *
     * @param olderThan minimum time since the acceptance, so that requests still being executed are left alone
     */
    public CompletionStage<SweepResult> sweep(Duration olderThan) {
        return SweepResult.each(
                requests.unconfirmed(clock.instant().minus(olderThan), MAX_PER_SWEEP),
                waiting -> requests.find(waiting.userId(), waiting.requestId())
                        .<CompletionStage<?>>map(request ->
                                request.fold(this::again, ExecuteOrders::unchanged, ExecuteOrders::unchanged))
                        .orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    private CompletionStage<?> again(Pending pending) {
        OrderAttempt attempt = pending.order();
        return attempt != null && attempt.isCancelRequested() ? takenBack(pending) : placed(pending);
    }

    private static CompletionStage<?> unchanged(ServiceRequest resolved) {
        return CompletableFuture.completedFuture(resolved);
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
        /** Its agent may trade. */
        SEND,
        /** It must not be sent; whether the custodian has it is to be found out. */
        ASK,
        /** Nothing for now. */
        WAIT
    }

    /** The attempt of a request, if it is still the one that is meant and no custodian has confirmed it. */
    private static Optional<OrderAttempt> unconfirmed(Pending pending, OrderAttempt meant) {
        return Optional.ofNullable(pending.order())
                .filter(now ->
                        now.clientOrderId().equals(meant.clientOrderId()) && now.isUnconfirmed() && !now.isFilled());
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

    /** Decides whether an order may be sent now, and notes since when it may not. */
    private record CheckAgent(Proposal proposal, OrderAttempt attempt) implements Change<NextStep> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<NextStep> apply(Account account) {
            // The request is missing if its account was deleted while a sweep ran.
            Pending pending = account.request(proposal.id())
                    .map(request -> request.<@Nullable Pending>fold(it -> it, done -> null, no -> null))
                    .orElse(null);
            return pending == null
                    ? Outcome.nothing(NextStep.WAIT)
                    : unconfirmed(pending, attempt)
                            .filter(now -> !now.isCancelRequested())
                            .map(now -> next(account, pending, now.heldSince()))
                            .orElseGet(() -> Outcome.nothing(NextStep.WAIT));
        }

        private Outcome<NextStep> next(Account account, Pending pending, @Nullable Instant heldSince) {
            Instant revokedAt = revokedAt(account, proposal);
            if (revokedAt != null) {
                boolean mayArrive = account.now().isBefore(revokedAt.plus(OrderAttempt.LATE_ARRIVAL));
                return Outcome.nothing(mayArrive ? NextStep.WAIT : NextStep.ASK);
            }
            if (!isPaused(account, proposal)) {
                return heldSince == null
                        ? Outcome.nothing(NextStep.SEND)
                        : new Outcome.Recording().request(pending.held(null)).answer(receipts -> NextStep.SEND);
            }
            if (heldSince == null) {
                return new Outcome.Recording()
                        .request(pending.held(account.now()))
                        .answer(receipts -> NextStep.ASK);
            }
            boolean isTooLong = account.now().isAfter(heldSince.plus(MAX_HOLD));
            return Outcome.nothing(isTooLong ? NextStep.ASK : NextStep.WAIT);
        }
    }

    /**
     * Ends an order that must not be sent and that its custodian did not know: the request of a revoked key is rejected, one
     * whose agent is paused for too long waits for its user again.
     */
    private record EndHeld(Proposal proposal, OrderAttempt attempt, Instant askedAt) implements Change<ServiceRequest> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<ServiceRequest> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            return request.fold(
                    pending -> unconfirmed(pending, attempt)
                            .flatMap(now -> after(account, pending, now.heldSince()))
                            .map(after -> endOrder(account, attempt, after))
                            .orElseGet(() -> Outcome.nothing(pending)),
                    Outcome::nothing,
                    Outcome::nothing);
        }

        private Optional<ServiceRequest> after(Account account, Pending pending, @Nullable Instant heldSince) {
            Instant revokedAt = revokedAt(account, proposal);
            if (revokedAt != null) {
                return askedAt.isBefore(revokedAt.plus(OrderAttempt.LATE_ARRIVAL))
                        ? Optional.empty()
                        : Optional.of(pending.takenBack(Rejected.KEY_REVOKED, account.now()));
            }
            return heldSince != null && isPaused(account, proposal) && askedAt.isAfter(heldSince.plus(MAX_HOLD))
                    ? Optional.of(pending.notSent(HELD_TOO_LONG))
                    : Optional.empty();
        }
    }

    /** Records a request whose order is not under way any more, and takes the order out of the portfolio. */
    private static Outcome<ServiceRequest> endOrder(Account account, OrderAttempt attempt, ServiceRequest after) {
        Portfolio portfolio = account.portfolio();
        Outcome.Recording recording = portfolio == null
                ? new Outcome.Recording()
                : ObservePortfolio.recording(account, withoutOrder(account, portfolio, attempt), List.of());
        boolean isOver = after.fold(it -> false, done -> true, no -> true);
        if (isOver) {
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
            return request.fold(
                    pending -> unconfirmed(pending, attempt)
                            .map(now -> endOrder(account, attempt, pending.ended(end, account.now())))
                            .orElseGet(() -> Outcome.nothing(pending)),
                    Outcome::nothing,
                    Outcome::nothing);
        }
    }

    /** Applies a change to a request whose order is under way; refuses it for any other. */
    private record UnderWay(Proposal proposal, BiFunction<Account, Pending, Outcome<Answer<Pending>>> work)
            implements Change<Answer<Pending>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<Answer<Pending>> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            return request.fold(
                    pending -> pending.isAccepted()
                            ? work.apply(account, pending)
                            : Outcome.nothing(Answer.refused(notAccepted(pending))),
                    UnderWay::resolved,
                    UnderWay::resolved);
        }

        private static Outcome<Answer<Pending>> resolved(ServiceRequest request) {
            String message = "This request is already " + request.status().wireName() + ".";
            return Outcome.nothing(Answer.refused(Refusal.resolved(message, request)));
        }
    }
}
