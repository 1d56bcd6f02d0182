package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chooses the custodian that executes a trade (docs/reference/app-api.md). */
public final class CustodianRouting {

    private CustodianRouting() {}

    /** Where the order of a trade goes that its user accepts. */
    public sealed interface Route {

        /** To a custodian that has enough for it. */
        record To(CustodianHoldings custodian) implements Route {}

        /**
         * Nowhere.
         *
         * @param reason a sentence for the user
         */
        record Nowhere(String reason) implements Route {}

        /** Applies the function for this route. */
        default <R> R fold(
                Function<? super CustodianHoldings, ? extends R> to, Function<? super String, ? extends R> nowhere) {
            return this instanceof To found ? to.apply(found.custodian()) : nowhere.apply(((Nowhere) this).reason());
        }
    }

    /**
     * The route of a proposed trade.
     *
     * @param resolved the same trade with the symbol that its asset has in the account now
     */
    public static Route route(Trade proposed, Trade resolved, @Nullable Portfolio portfolio) {
        if (!resolved.equals(proposed)) {
            // An older version did not resolve symbols. The order must be the one that the chain records.
            return new Route.Nowhere(
                    proposed.asset() + " is traded here as " + resolved.asset() + "; have it proposed again.");
        }
        return custodian(proposed, portfolio)
                .<Route>map(Route.To::new)
                .orElseGet(() -> new Route.Nowhere(noneFits(proposed)));
    }

    /**
     * The custodian for a trade. A sell goes to a custodian that holds enough of the asset. A buy goes to a
     * custodian with enough cash, preferably one that already holds the asset. What open orders hold is not counted. If
     * several fit, the one added first is chosen; if none fits, the result is empty.
     */
    public static Optional<CustodianHoldings> custodian(Trade trade, @Nullable Portfolio portfolio) {
        List<CustodianHoldings> all = portfolio == null ? List.of() : portfolio.custodians();
        Stream<CustodianHoldings> fitting = trade.isBuy()
                ? Stream.concat(
                        all.stream().filter(holdings -> holds(holdings, trade) && affords(holdings, trade)),
                        all.stream().filter(holdings -> affords(holdings, trade)))
                : all.stream().filter(holdings -> holdsEnough(holdings, trade));
        return fitting.findFirst();
    }

    /** A sentence for the user that says why no custodian fits. */
    static String noneFits(Trade trade) {
        return trade.isBuy()
                ? "No single custodian has " + trade.amount() + " USD in cash for this buy."
                : "No single custodian holds " + trade.amount() + " USD of " + trade.asset() + " to sell.";
    }

    private static boolean holds(CustodianHoldings holdings, Trade trade) {
        return holdings.position(trade.asset(), trade.assetType()).isPresent();
    }

    private static boolean affords(CustodianHoldings holdings, Trade trade) {
        return !trade.amount().isAbove(holdings.freeCash());
    }

    private static boolean holdsEnough(CustodianHoldings holdings, Trade trade) {
        return holds(holdings, trade) && !trade.amount().isAbove(holdings.valueOf(trade.asset(), trade.assetType()));
    }
}
