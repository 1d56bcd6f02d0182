package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.util.List;

/** Moves the peak so that prices change the drawdown, but deposits and withdrawals do not (docs/reference/rules.md). */
final class Peak {

    private Peak() {}

    /**
     * The peak after a change of holdings. Where all custodians are paper, the new prices count at once; a broker's count
     * when {@link SyncHistory} confirms them.
     */
    static Usd after(Portfolio before, List<CustodianHoldings> after, Flow flow) {
        Usd total = total(after);
        if (isNothing(before.custodians())) {
            return total;
        }
        Usd known =
                hasBroker(before.custodians()) ? before.peak() : before.peak().max(flow.before());
        Usd scaled = flow.scaled(known);
        return hasBroker(after) ? scaled : scaled.max(total);
    }

    private static Usd total(List<CustodianHoldings> all) {
        return all.stream().map(CustodianHoldings::total).reduce(Usd.ZERO, Usd::plus);
    }

    private static boolean hasBroker(List<CustodianHoldings> all) {
        return all.stream().anyMatch(holdings -> holdings.kind().isSynced());
    }

    private static boolean isNothing(List<CustodianHoldings> all) {
        return all.stream()
                .allMatch(holdings -> holdings.cash().isZero()
                        && holdings.positions().stream()
                                .allMatch(position -> position.quantity().signum() == 0));
    }
}
