package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a portfolio at the end of a day.
 *
 * @param asOf the time of the last revision of the day
 * @param total the value of everything
 * @param peak as of that revision
 * @param snapshot the allocation and the drawdown; null when the portfolio was worth nothing
 */
public record PortfolioDay(
        Instant asOf, Usd total, Usd peak, @Nullable Snapshot snapshot) {

    public static PortfolioDay of(Portfolio last) {
        return new PortfolioDay(
                last.asOf(), last.total(), last.peak(), last.snapshot().orElse(null));
    }
}
