package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A proposed trade and its state: pending, completed or rejected (specification, States and transitions). Only a
 * pending request can change.
 */
public sealed interface ServiceRequest {
    /** The only type of service request. */
    String TYPE = "agent_proposed_trade";

    Proposal proposal();

    RequestStatus status();

    /** Applies the function for the state of this request. */
    <R> R fold(Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected);

    default long id() {
        return proposal().id();
    }

    /** Why the request was rejected; null when it was not, or no reason was given. */
    default @Nullable String reason() {
        return fold(pending -> null, completed -> null, rejected -> rejected.reason);
    }

    /** The last order, which may be over; null when there was none. */
    default @Nullable OrderAttempt lastOrder() {
        if (this instanceof Pending pending) {
            return pending.order == null ? pending.ended : pending.order;
        }
        return this instanceof Completed done ? done.order : ((Rejected) this).ended;
    }

    default Optional<Instant> resolvedAt() {
        return fold(
                pending -> Optional.empty(),
                completed -> Optional.of(completed.at),
                rejected -> Optional.of(rejected.at));
    }

    /**
     * When the user accepted without a passkey; null when a passkey signed, and while nothing is ordered or filled: an
     * acceptance that ended with nothing filled does not count.
     */
    default @Nullable Instant unsignedAt() {
        OrderAttempt order = fold(Pending::order, Completed::order, rejected -> null);
        return order == null || order.isSigned() ? null : order.acceptedAt();
    }

    /** The states of a request. */
    enum RequestStatus implements Word {
        PENDING,
        COMPLETED,
        REJECTED
    }

    /**
     * A request that waits for the user's answer or, once accepted, for the end of its order.
     *
     * @param proposal what was proposed
     * @param order the order under way; null while the request waits for the user
     * @param attempts number of acceptances so far
     * @param executionError why the last acceptance was not executed; null when nothing went wrong
     * @param ended the last order that ended with nothing filled; null while an order is under way or when there was none
     */
    record Pending(
            Proposal proposal,
            @Nullable OrderAttempt order,
            int attempts,
            @Nullable String executionError,
            @Nullable OrderAttempt ended)
            implements ServiceRequest {

        public static Pending of(Proposal proposal) {
            return new Pending(proposal, null, 0, null, null);
        }

        /** Whether it was just proposed: its event has no receipt yet, and nothing happened to it. */
        public boolean isNew() {
            return proposal.receipt() == null && order == null && attempts == 0 && executionError == null;
        }

        /** The same request with the receipt of its proposal. */
        public Pending withReceipt(Receipt receipt) {
            return new Pending(proposal.withReceipt(receipt), order, attempts, executionError, ended);
        }

        public boolean isAccepted() {
            return order != null;
        }

        /** Whether the request has expired. An accepted request does not expire. */
        public boolean isExpired(Instant now) {
            return !isAccepted() && !now.isBefore(proposal.expiresAt());
        }

        /**
         * The request after the user accepted it; its order is under way from now on.
         *
         * @param maxSlippage of the policy in force
         */
        public Pending accepted(String custodian, CustodianKind kind, Fraction maxSlippage, Instant now) {
            OrderAttempt next = OrderAttempt.first(proposal, attempts + 1, custodian, kind, maxSlippage, now);
            return new Pending(proposal, next, next.number(), null, null);
        }

        /** The accepted request whose acceptance a passkey signed. */
        public Pending signed() {
            return under(underWay().signed());
        }

        /** The request after no order was placed: it waits for the user again. */
        public Pending notExecuted(String error) {
            return new Pending(proposal, null, attempts, error, ended);
        }

        /** The request whose order the user asked to take back. */
        public Pending cancelRequested(Instant now) {
            return order == null ? this : under(order.cancelRequested(now));
        }

        /** The request after fills of its order; unchanged when it has none, because they belong to an earlier one. */
        public Pending plus(List<Fill> fills) {
            return order == null ? this : under(order.plus(fills));
        }

        /**
         * The request after news of its order: completed when the order is over and something was filled; waiting for
         * the user again when nothing was, or rejected if the user took it back.
         *
         * @throws IllegalStateException when the request has no order
         */
        public ServiceRequest with(OrderAttempt after, Instant now) {
            underWay();
            if (!after.state().isOver()) {
                return under(after);
            }
            if (after.isFilled()) {
                return new Completed(proposal, after, now);
            }
            String error = after.warning() == null ? unfilled(after) : after.warning() + " " + unfilled(after);
            Pending unfilled = new Pending(proposal, null, attempts, error, after);
            return after.isCancelRequested() ? unfilled.rejected(Rejected.CANCELED, now) : unfilled;
        }

        /**
         * The request after a fill of its last order, which its custodian had said was over with nothing filled: completed
         * with that order.
         *
         * @throws IllegalStateException when no order of the request has ended
         */
        public Completed filledAfterAll(Fill late, Instant now) {
            if (ended == null) {
                throw new IllegalStateException("The request " + id() + " had no order.");
            }
            return new Completed(proposal, ended.plus(List.of(late)), now);
        }

        /** The request whose order has its bound and may be sent. */
        public Pending bounded(PriceBound bound) {
            return under(underWay().bounded(bound));
        }

        /** The request whose order is not sent since a time; null when it may be sent. */
        public Pending held(@Nullable Instant since) {
            return order == null ? this : under(order.held(since));
        }

        /**
         * The request after an order was taken back that is not at its custodian.
         *
         * @param reason {@link Rejected#CANCELED} or {@link Rejected#KEY_REVOKED}
         */
        public Rejected takenBack(String reason, Instant now) {
            return notSent(null).rejected(reason, now);
        }

        /**
         * The request whose order is not at its custodian and will not be sent any more.
         *
         * @param error why, for the user; null for none
         */
        public Pending notSent(@Nullable String error) {
            OrderAttempt after = order == null ? ended : order.in(new OrderState.Cancelled());
            return new Pending(proposal, null, attempts, error, after);
        }

        /**
         * The request that the user closed, whose order is over at its custodian or not known there: completed with what was
         * recorded of it, or rejected.
         *
         * @param report how the order stands; null when the custodian does not know it
         * @throws IllegalStateException when the request has no order
         */
        public ServiceRequest closed(@Nullable OrderReport report, Instant now) {
            OrderAttempt after = report == null
                    ? underWay().in(new OrderState.Cancelled())
                    : underWay().told(report).in(report.state());
            return after.isFilled()
                    ? new Completed(proposal, after, now)
                    : new Pending(proposal, null, attempts, null, after).rejected(Rejected.CLOSED, now);
        }

        private OrderAttempt underWay() {
            if (order == null) {
                throw new IllegalStateException("The request " + id() + " has no order.");
            }
            return order;
        }

        private Pending under(OrderAttempt next) {
            return new Pending(proposal, next, attempts, executionError, null);
        }

        /**
         * The request after its order ended in a way that no report tells.
         *
         * @throws IllegalStateException when the request has no order
         */
        public ServiceRequest ended(OrderState end, Instant now) {
            return with(underWay().in(end), now);
        }

        private static String unfilled(OrderAttempt order) {
            OrderState state = order.state();
            if (state instanceof OrderState.Rejected rejected) {
                return rejected.reason();
            }
            Fraction slippage = order.maxSlippage();
            if (order.bound() != null && slippage != null && order.warning() == null) {
                return leftBound(slippage);
            }
            return state instanceof OrderState.Expired
                    ? "The order expired before anything was filled."
                    : "The custodian cancelled the order before anything was filled.";
        }

        /** Why an order with a price bound was not filled. */
        public static String leftBound(Fraction slippage) {
            return "The price left the bound of " + slippage.inPercent() + "% before the order was filled.";
        }

        public Rejected rejected(@Nullable String reason, Instant now) {
            return new Rejected(proposal, reason, now, attempts, ended);
        }

        @Override
        public RequestStatus status() {
            return RequestStatus.PENDING;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return pending.apply(this);
        }
    }

    /**
     * A request whose trade was executed, at least in part.
     *
     * @param proposal what was proposed
     * @param order the order, of which at least a part was filled
     * @param at when that was recorded
     */
    record Completed(Proposal proposal, OrderAttempt order, Instant at) implements ServiceRequest {

        /** The same request after a fill that the custodian reported late. */
        public Completed plus(List<Fill> late) {
            return new Completed(proposal, order.plus(late), at);
        }

        @Override
        public RequestStatus status() {
            return RequestStatus.COMPLETED;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return completed.apply(this);
        }
    }

    /**
     * A request that the user rejected or took back, that expired, or whose key was revoked.
     *
     * @param proposal what was proposed
     * @param reason the user's reason, {@link #EXPIRED}, {@link #CANCELED}, {@link #CLOSED}, {@link #KEY_REVOKED} or
     *     {@link #PAUSED}; null when the user gave none
     * @param at when it was rejected
     * @param attempts number of acceptances before
     * @param ended the last order, of which nothing was filled; null when there was none
     */
    record Rejected(
            Proposal proposal,
            @Nullable String reason,
            Instant at,
            int attempts,
            @Nullable OrderAttempt ended) implements ServiceRequest {
        public static final String EXPIRED = "expired";
        /** The user took the order back before anything was filled. */
        public static final String CANCELED = "canceled";
        /** The user closed the request when its order was over, or not known, with nothing filled. */
        public static final String CLOSED = "closed";

        public static final String KEY_REVOKED = "key_revoked";
        /** The user stopped all agents and had what waited rejected. */
        public static final String PAUSED = "paused";

        @Override
        public RequestStatus status() {
            return RequestStatus.REJECTED;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return rejected.apply(this);
        }
    }
}
