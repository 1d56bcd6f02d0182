package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The worst price an order may be filled at, made once before it is sent (docs/reference/custodians.md, Price bound).
 *
 * @param reference the price it was made from
 * @param referenceAt the time of that price, by the custodian's clock
 * @param limit the most a unit may cost, or the least it may bring
 * @param quantity the units that are ordered; null where the custodian takes the amount
 * @param madeAt when it was made
 */
public record PriceBound(
        Usd reference,
        Instant referenceAt,
        Usd limit,
        @Nullable BigDecimal quantity,
        Instant madeAt) {
    /** What is open of an order for crypto, or of one at a paper custodian, is cancelled after this time. */
    public static final Duration MAX_OPEN = Duration.ofHours(24);

    private static final BigDecimal CENT = new BigDecimal("0.01");
    private static final BigDecimal BELOW_ONE = new BigDecimal("0.0001");

    /** The members of a stored bound. */
    public static final Schema<PriceBound> STORED = Schema.of(
            row -> new PriceBound(row.next(), row.next(), row.next(), row.next(), row.next()),
            required("reference", Usd.CODEC, PriceBound::reference),
            required("referenceAt", Codec.INSTANT, PriceBound::referenceAt),
            required("limit", Usd.CODEC, PriceBound::limit),
            optional("quantity", Codec.DECIMAL, PriceBound::quantity),
            required("madeAt", Codec.INSTANT, PriceBound::madeAt));

    public PriceBound {
        quantity = quantity == null ? null : Exact.normalised(quantity);
    }

    /**
     * The bound of an order for an amount.
     *
     * @param slippage the most that the price may be worse than the reference
     * @throws CustodianFailure a refusal when the amount is less than one step of the quantity
     */
    public static PriceBound of(Order wanted, Fraction slippage, ReferencePrice market, Instant now) {
        boolean isBuy = wanted.action() == Action.BUY;
        Fraction factor = isBuy ? Fraction.ONE.plus(slippage) : Fraction.ONE.minus(slippage);
        BigDecimal exact = market.price().times(factor).value();
        BigDecimal limit = rounded(exact, market.priceStep(), isBuy ? RoundingMode.DOWN : RoundingMode.UP);
        BigDecimal step = market.quantityStep();
        if (step == null) {
            // A list price may lie between two steps; an order at that price must not be open for ever.
            BigDecimal list = market.price().value();
            Usd bound = new Usd(isBuy ? limit.max(list) : limit.min(list));
            return new PriceBound(market.price(), market.at(), bound, null, now);
        }
        Usd amount = wanted.amount();
        if (amount == null) {
            throw new IllegalArgumentException("A bound is made for an order by amount.");
        }
        BigDecimal price = isBuy ? limit : market.price().value();
        BigDecimal units = amount.value()
                .divide(price.multiply(step), 0, RoundingMode.DOWN)
                .multiply(step);
        BigDecimal free = market.free();
        if (free != null && units.compareTo(free) > 0) {
            units = free.divide(step, 0, RoundingMode.DOWN).multiply(step);
        }
        if (units.signum() <= 0) {
            throw CustodianFailure.refused("At a price of " + new Usd(price) + " USD, the order is for less than the "
                    + new Usd(step) + " " + wanted.symbol() + " that can be traded.");
        }
        return new PriceBound(market.price(), market.at(), new Usd(limit), units, now);
    }

    private static BigDecimal rounded(BigDecimal exact, @Nullable BigDecimal given, RoundingMode mode) {
        BigDecimal step = given != null ? given : exact.compareTo(BigDecimal.ONE) >= 0 ? CENT : BELOW_ONE;
        return exact.divide(step, 0, mode).max(BigDecimal.ONE).multiply(step);
    }

    /** Whether a price is within this bound. */
    public boolean allows(Action action, Usd price) {
        return action == Action.BUY ? !price.isAbove(limit) : !price.isBelow(limit);
    }

    /** How much worse than the reference a price is, as a fraction rounded to six places; below 0 when it is better. */
    public Fraction slippage(Action action, Usd price) {
        Usd worse = action == Action.BUY ? price.minus(reference) : reference.minus(price);
        return new Fraction(worse.value().divide(reference.value(), Fraction.REPORTED_PLACES, RoundingMode.HALF_EVEN));
    }
}
