package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chooses the custodian that executes a trade (docs/reference/app-api.md). */
public final class CustodianRouting {

    private CustodianRouting() {}

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
    public static String noneFits(Trade trade) {
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
