package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a portfolio that a decision depends on (specification, Snapshot fields).
 *
 * <pre>{@code
 * Snapshot.ofCrypto(Usd.of(30_000))
 *         .tradfi(Usd.of(55_000))
 *         .cash(Usd.of(15_000))
 *         .peak(Usd.of(100_000))
 *         .asOf(Instant.parse("2026-11-21T12:00:00Z"))
 * }</pre>
 */
public final class Snapshot {
    private final Usd crypto;
    private final Usd tradfi;
    private final Usd cash;
    private final Usd peak;
    private final @Nullable Instant date;

    private Snapshot(Usd crypto, Usd tradfi, Usd cash, Usd peak, @Nullable Instant date) {
        this.crypto = crypto;
        this.tradfi = tradfi;
        this.cash = cash;
        this.peak = peak;
        this.date = date;
    }

    /** Begins a snapshot with the value of the crypto sleeve. */
    public static WithCryptoValue ofCrypto(Usd crypto) {
        return tradfi -> cash -> peak -> date -> new Snapshot(crypto, tradfi, cash, peak, date);
    }

    /** A snapshot that needs the value of the tradfi sleeve next. */
    @FunctionalInterface
    public interface WithCryptoValue {
        WithSleeves tradfi(Usd value);
    }

    /** A snapshot that needs its cash next. */
    @FunctionalInterface
    public interface WithSleeves {
        WithCash cash(Usd value);
    }

    /** A snapshot that needs the highest total value so far next. */
    @FunctionalInterface
    public interface WithCash {
        WithPeak peak(Usd value);
    }

    /** A snapshot that needs its time to be complete. */
    @FunctionalInterface
    public interface WithPeak {
        /** The snapshot as a row of the log has it, where the peak of an old row may be below the total. */
        Snapshot recordedAt(@Nullable Instant date);

        /** The snapshot at a time, or at an unknown time (null). Its peak is at least its total. */
        default Snapshot asOf(@Nullable Instant date) {
            Snapshot it = recordedAt(date);
            return new Snapshot(it.crypto, it.tradfi, it.cash, it.peak.max(it.total()), date);
        }
    }

    /** The value of the crypto sleeve. */
    public Usd crypto() {
        return crypto;
    }

    /** The value of the tradfi sleeve. */
    public Usd tradfi() {
        return tradfi;
    }

    /** The cash of all custodians. */
    public Usd cash() {
        return cash;
    }

    /** The highest total value so far, the present one included. */
    public Usd peak() {
        return peak;
    }

    /** When these totals were known to be right; null when unknown. */
    public @Nullable Instant date() {
        return date;
    }

    /** The value of everything held, cash included. */
    public Usd total() {
        return crypto.plus(tradfi).plus(cash);
    }

    public Usd sleeve(AssetType type) {
        return type == AssetType.CRYPTO ? crypto : tradfi;
    }

    public Share share(AssetType type) {
        return sleeve(type).shareOf(total());
    }

    public Share cashShare() {
        return cash.shareOf(total());
    }

    /** How far the total is below the peak, as a part of the peak; never negative. */
    public Share drawdown() {
        return drawdownAt(total());
    }

    Share drawdownAt(Usd totalValue) {
        return peak.minus(totalValue).max(Usd.ZERO).shareOf(peak);
    }

    /** The drawdown with six places, for reports. */
    public Fraction currentDrawdown() {
        return drawdown().rounded();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Snapshot that
                && crypto.equals(that.crypto)
                && tradfi.equals(that.tradfi)
                && cash.equals(that.cash)
                && peak.equals(that.peak)
                && Objects.equals(date, that.date);
    }

    @Override
    public int hashCode() {
        return Objects.hash(crypto, tradfi, cash, peak, date);
    }

    @Override
    public String toString() {
        return "Snapshot[crypto=" + crypto + ", tradfi=" + tradfi + ", cash=" + cash + ", peak=" + peak + ", date="
                + date + "]";
    }
}
