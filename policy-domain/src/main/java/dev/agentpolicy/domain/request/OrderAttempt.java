package dev.agentpolicy.domain.request;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The order of an accepted request. Each acceptance of a request is an attempt with an order of its own.
 *
 * @param custodian id of the custodian that gets the order
 * @param kind the kind of custodian
 * @param number 1 for the first acceptance of a request, then one more for each
 * @param clientOrderId the id the order is placed with
 * @param acceptedAt when the user accepted
 * @param isSigned whether a passkey of the user signed the acceptance
 * @param ordered the ordered amount
 * @param externalId the custodian's own id of the order; null until it is known
 * @param state where the order stands
 * @param quantity units filled so far
 * @param filledUsd cash paid or received so far
 * @param lastFillAt time of the last fill, by the custodian's clock; null without one
 * @param cancelRequestedAt when the user first asked to take the order back; null when the user did not
 * @param heldSince since when the order is not sent because its agent is paused; null while it may be sent
 * @param warning how the custodian's order differs from this one, a sentence for the user; null when it is the same
 * @param maxSlippage of the policy in force when the user accepted; null for orders from before price bounds
 * @param bound the worst price it may be filled at; null until it is made, and for orders from before
 */
public record OrderAttempt(
        String custodian,
        CustodianKind kind,
        int number,
        String clientOrderId,
        Instant acceptedAt,
        boolean isSigned,
        Usd ordered,
        @Nullable String externalId,
        OrderState state,
        BigDecimal quantity,
        Usd filledUsd,
        @Nullable Instant lastFillAt,
        @Nullable Instant cancelRequestedAt,
        @Nullable Instant heldSince,
        @Nullable String warning,
        @Nullable Fraction maxSlippage,
        @Nullable PriceBound bound) {
    /** After this time no copy of an order can still be on its way to its custodian. */
    public static final Duration LATE_ARRIVAL = Duration.ofMinutes(2);
    /** The finest step of quantities at brokers. What they say is filled may be one step more than the fills. */
    private static final BigDecimal QUANTITY_STEP = new BigDecimal("0.000000001");

    private static final Pattern CLIENT_ORDER_ID = Pattern.compile("request-([0-9]{1,18})-([0-9]{1,9})-[0-9a-z]{1,20}");
    private static final int USD_DECIMALS = 8;
    private static final int RADIX = 36;
    private static final long MICROS = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    /** The members of a stored order. */
    static final Schema<OrderAttempt> STORED = Schema.of(
            row -> new OrderAttempt(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.nextOr(false),
                    row.next(),
                    row.next(),
                    OrderState.of(row.next(), row.nextOr("")),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next()),
            required("custodian", Codec.TEXT, OrderAttempt::custodian),
            required("kind", Codec.word(CustodianKind.class), OrderAttempt::kind),
            required("number", Codec.INTEGER, OrderAttempt::number),
            required("clientOrderId", Codec.TEXT, OrderAttempt::clientOrderId),
            required("acceptedAt", Codec.INSTANT, OrderAttempt::acceptedAt),
            optional("signed", Codec.TRUTH, it -> it.isSigned ? true : null),
            required("ordered", Usd.CODEC, OrderAttempt::ordered),
            nullable("externalId", Codec.TEXT, OrderAttempt::externalId),
            required("state", Codec.TEXT, it -> it.state.wireName()),
            nullable("stateReason", Codec.TEXT, it -> it.state.reason()),
            required("quantity", Codec.DECIMAL, OrderAttempt::quantity),
            required("filledUsd", Usd.CODEC, OrderAttempt::filledUsd),
            nullable("lastFillAt", Codec.INSTANT, OrderAttempt::lastFillAt),
            nullable("cancelRequestedAt", Codec.INSTANT, OrderAttempt::cancelRequestedAt),
            optional("heldSince", Codec.INSTANT, OrderAttempt::heldSince),
            optional("warning", Codec.TEXT, OrderAttempt::warning),
            optional("maxSlippage", Codec.DECIMAL.as(Fraction::new, Fraction::value), OrderAttempt::maxSlippage),
            optional("bound", Codec.object(PriceBound.STORED), OrderAttempt::bound));

    public OrderAttempt {
        quantity = Exact.normalised(quantity);
    }

    /** The order of a request that was accepted now. */
    static OrderAttempt first(
            Proposal proposal, int number, String custodian, CustodianKind kind, Fraction maxSlippage, Instant now) {
        return new OrderAttempt(
                custodian,
                kind,
                number,
                clientOrderId(proposal, number),
                now,
                false,
                proposal.trade().amount(),
                null,
                new OrderState.Sent(),
                BigDecimal.ZERO,
                Usd.ZERO,
                null,
                null,
                null,
                null,
                maxSlippage,
                null);
    }

    /**
     * Names the request and the attempt. The time of the proposal is part of it, because a database that was restored
     * from a backup gives the same number to another request.
     */
    private static String clientOrderId(Proposal proposal, int number) {
        Instant at = proposal.createdAt();
        long micros = at.getEpochSecond() * MICROS + at.getNano() / NANOS_PER_MICRO;
        return "request-" + proposal.id() + "-" + number + "-" + Long.toString(micros, RADIX);
    }

    /** The request that a client order id names; empty when it was not made for a request. */
    public static OptionalLong requestId(@Nullable String clientOrderId) {
        Matcher matcher = CLIENT_ORDER_ID.matcher(clientOrderId == null ? "" : clientOrderId);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** Whether a client order id was made for a proposal, and not for one that another database has under its number. */
    public static boolean mayName(Proposal proposal, @Nullable String clientOrderId) {
        Matcher matcher = CLIENT_ORDER_ID.matcher(clientOrderId == null ? "" : clientOrderId);
        return matcher.matches()
                && clientOrderId(proposal, Integer.parseInt(matcher.group(2))).equals(clientOrderId);
    }

    /** The order for the custodian. It may be sent once it has its bound. */
    public Order order(Proposal proposal) {
        return order(proposal, bound);
    }

    /** The order for the whole amount, of which the custodian is asked for the price. */
    public Order unpriced(Proposal proposal) {
        return order(proposal, null);
    }

    private Order order(Proposal proposal, @Nullable PriceBound made) {
        Trade trade = proposal.trade();
        BigDecimal units = made == null ? null : made.quantity();
        return new Order(
                clientOrderId,
                proposal.userId(),
                custodian,
                kind,
                trade.action(),
                trade.asset(),
                trade.assetType(),
                units == null ? ordered : null,
                units,
                null,
                made == null ? null : made.limit());
    }

    /** What is not yet filled: of an order for units, the part of the amount that the open units stand for. */
    public Usd rest() {
        BigDecimal units = bound == null ? null : bound.quantity();
        if (units == null) {
            return ordered.minus(filledUsd).max(Usd.ZERO);
        }
        BigDecimal open = units.subtract(quantity).max(BigDecimal.ZERO);
        return new Usd(ordered.value().multiply(open).divide(units, USD_DECIMALS, RoundingMode.UP));
    }

    /** Whether what is open of it is to be cancelled, since neither a market's close nor a user ends it. */
    public boolean isOverdue(Trade trade, Instant now) {
        boolean isOpenForEver = trade.assetType() == AssetType.CRYPTO || !kind.isSynced();
        return bound != null && isOpenForEver && !now.isBefore(bound.madeAt().plus(PriceBound.MAX_OPEN));
    }

    /**
     * From when on a sweep looks at the order: at once until its custodian confirmed it, and when it is overdue at a paper
     * custodian, which nobody syncs; null for any other.
     */
    public @Nullable Instant sweptFrom() {
        if (isUnconfirmed()) {
            return acceptedAt;
        }
        return bound == null || kind.isSynced() || state.isOver()
                ? null
                : bound.madeAt().plus(PriceBound.MAX_OPEN);
    }

    /** What is not yet filled, as an open order of the portfolio. */
    public OpenOrder openOrder(Trade trade) {
        return new OpenOrder(clientOrderId, trade.action(), trade.asset(), trade.assetType(), rest());
    }

    public boolean isFilled() {
        return quantity.signum() > 0;
    }

    /** The average price of a unit in USD, 16 digits; null when nothing was filled. */
    public @Nullable Usd price() {
        return isFilled() ? new Usd(filledUsd.value().divide(quantity, MathContext.DECIMAL64)) : null;
    }

    /** The order after more fills. */
    public OrderAttempt plus(List<Fill> fills) {
        BigDecimal units = quantity;
        Usd amount = filledUsd;
        Instant last = lastFillAt;
        for (Fill fill : fills) {
            units = units.add(fill.quantity());
            amount = amount.plus(fill.amountUsd());
            last = last == null || fill.executedAt().isAfter(last) ? fill.executedAt() : last;
        }
        return with(externalId, state, units, amount, last, cancelRequestedAt, heldSince, warning, bound);
    }

    /**
     * The order as the custodian reports it. An order that is over stays as it is while fills of it are missing, since its
     * request is done only with all its fills.
     */
    public OrderAttempt reported(OrderReport report) {
        BigDecimal missing = report.filledQuantity().subtract(quantity);
        boolean isComplete = missing.signum() <= 0 || isFilled() && missing.compareTo(QUANTITY_STEP) <= 0;
        OrderState next = report.state().isOver() && !isComplete ? new OrderState.PartiallyFilled() : report.state();
        return told(report).in(next);
    }

    /** The order with what the custodian says of it, but for its state. Once it differed, that stays. */
    OrderAttempt told(OrderReport report) {
        String differs = report.warning() == null ? warning : report.warning();
        return with(
                report.externalId(), state, quantity, filledUsd, lastFillAt, cancelRequestedAt, null, differs, bound);
    }

    /** The order that the user asked to take back. */
    OrderAttempt cancelRequested(Instant now) {
        Instant at = cancelRequestedAt == null ? now : cancelRequestedAt;
        return with(externalId, state, quantity, filledUsd, lastFillAt, at, heldSince, warning, bound);
    }

    /** The order that is not sent since a time; null when it may be sent. */
    OrderAttempt held(@Nullable Instant since) {
        return with(externalId, state, quantity, filledUsd, lastFillAt, cancelRequestedAt, since, warning, bound);
    }

    /** The order with its bound, which may be sent. */
    OrderAttempt bounded(PriceBound made) {
        return with(externalId, state, quantity, filledUsd, lastFillAt, cancelRequestedAt, null, warning, made);
    }

    /** The order whose acceptance a passkey signed. */
    OrderAttempt signed() {
        return new OrderAttempt(
                custodian,
                kind,
                number,
                clientOrderId,
                acceptedAt,
                true,
                ordered,
                externalId,
                state,
                quantity,
                filledUsd,
                lastFillAt,
                cancelRequestedAt,
                heldSince,
                warning,
                maxSlippage,
                bound);
    }

    /** The order in another state. */
    OrderAttempt in(OrderState next) {
        return with(externalId, next, quantity, filledUsd, lastFillAt, cancelRequestedAt, heldSince, warning, bound);
    }

    private OrderAttempt with(
            @Nullable String external,
            OrderState next,
            BigDecimal units,
            Usd amount,
            @Nullable Instant lastAt,
            @Nullable Instant takenBackAt,
            @Nullable Instant since,
            @Nullable String told,
            @Nullable PriceBound made) {
        return new OrderAttempt(
                custodian,
                kind,
                number,
                clientOrderId,
                acceptedAt,
                isSigned,
                ordered,
                external,
                next,
                units,
                amount,
                lastAt,
                takenBackAt,
                since,
                told,
                maxSlippage,
                made);
    }

    /** Whether the user asked to take the order back. */
    public boolean isCancelRequested() {
        return cancelRequestedAt != null;
    }

    /** Whether the custodian is asked to cancel the order at each sync: the user wants it back, or it is not what was ordered. */
    public boolean isUnwanted() {
        return isCancelRequested() || warning != null;
    }

    /** Whether it was accepted before orders had price bounds. It is not sent any more. */
    public boolean isFromBeforeBounds() {
        return maxSlippage == null;
    }

    /** Whether it was never sent, since it has no bound yet. */
    public boolean isNeverSent() {
        return maxSlippage != null && bound == null;
    }

    /** Whether the custodian has not confirmed the order. */
    public boolean isUnconfirmed() {
        return state instanceof OrderState.Sent;
    }

    /**
     * Whether an order that its custodian does not know is not on its way there either: it was there once, or has not been
     * sent for long enough.
     *
     * @param asked when the custodian was asked for it
     */
    public boolean cannotArrive(Instant asked) {
        return !isUnconfirmed() || isNeverSent() || isQuiet(cancelRequestedAt, asked) || isQuiet(heldSince, asked);
    }

    private static boolean isQuiet(@Nullable Instant since, Instant asked) {
        return since != null && !asked.isBefore(since.plus(LATE_ARRIVAL));
    }
}
